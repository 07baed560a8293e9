import type { Grouping } from '../model/board-groups.ts';
import { type Command, useCommands } from '../palette/commands.ts';
import { useRemembered } from '../parts/remembered.ts';
import { t } from '../words/t.ts';

/** How the board shows its agents. */
export interface BoardChoices {
  grouping: Grouping;
  layout: 'rows' | 'tiles';
}

const GROUPINGS = [
  ['state', t.board.byState],
  ['folder', t.board.byFolder],
] as const;

const LAYOUTS = [
  ['rows', t.board.rows],
  ['tiles', t.board.tiles],
] as const;

/** What this browser chose last, and the fields to choose anew. */
export function useBoardChoices(): BoardChoices & { fields: React.ReactNode } {
  const [groupingName, setGrouping] = useRemembered('board-grouping', 'state');
  const [layoutName, setLayout] = useRemembered('board-layout', 'rows');
  const grouping = groupingName === 'folder' ? 'folder' : 'state';
  const layout = layoutName === 'tiles' ? 'tiles' : 'rows';
  const others: Command[] = [
    ...GROUPINGS.filter(([name]) => name !== grouping).map(
      ([name, words]): Command => ({
        title: t.board.boardBy(words),
        words: t.board.groupWords,
        group: 'page',
        run: () => setGrouping(name),
      }),
    ),
    ...LAYOUTS.filter(([name]) => name !== layout).map(
      ([name, words]): Command => ({
        title: t.board.boardAs(words),
        words: t.board.layoutWords,
        group: 'page',
        run: () => setLayout(name),
      }),
    ),
  ];
  useCommands(others);
  const fields = (
    <>
      <Choice label={t.board.groupBy} value={grouping} options={GROUPINGS} onChoose={setGrouping} />
      <Choice label={t.board.showAs} value={layout} options={LAYOUTS} onChoose={setLayout} />
    </>
  );
  return { grouping, layout, fields };
}

function Choice({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly (readonly [name: string, words: string])[];
  onChoose: (name: string) => void;
}) {
  return (
    <label className="grouping">
      <span className="unseen">{label}</span>
      <select className="field" value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

import type { Grouping } from '../model/board-groups.ts';
import { type Command, useCommands } from '../palette/commands.ts';
import { useRemembered } from '../parts/remembered.ts';

/** How the board shows its agents. */
export interface BoardChoices {
  grouping: Grouping;
  layout: 'rows' | 'tiles';
}

const GROUPINGS = [
  ['state', 'By state'],
  ['folder', 'By folder'],
] as const;

const LAYOUTS = [
  ['rows', 'Rows'],
  ['tiles', 'Tiles'],
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
        title: `Board ${words.toLowerCase()}`,
        words: 'group overview',
        group: 'This page',
        run: () => setGrouping(name),
      }),
    ),
    ...LAYOUTS.filter(([name]) => name !== layout).map(
      ([name, words]): Command => ({
        title: `Board as ${words.toLowerCase()}`,
        words: 'grid list layout overview',
        group: 'This page',
        run: () => setLayout(name),
      }),
    ),
  ];
  useCommands(others);
  const fields = (
    <>
      <Choice label="Group by" value={grouping} options={GROUPINGS} onChoose={setGrouping} />
      <Choice label="Show as" value={layout} options={LAYOUTS} onChoose={setLayout} />
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

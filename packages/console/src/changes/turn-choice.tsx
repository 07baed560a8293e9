import { useEffect, useState } from 'react';
import type { TurnChanges } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { clock } from '../words/format.ts';
import { t } from '../words/t.ts';
import type { Comparison } from './use-changes.ts';

/** Chooses a turn of those whose changes are known; the last one that changed something, unless one was named. */
export function TurnChoice({
  session,
  turn,
  onChange,
}: {
  session: string;
  turn: number | undefined;
  onChange: (comparison: Comparison) => void;
}) {
  const { api } = useHub();
  const [turns, setTurns] = useState<readonly TurnChanges[]>([]);
  useEffect(() => {
    // Without a list there is nothing to choose: the changes themselves say why.
    api.turnChanges(session).then(
      (items) => setTurns(items.filter(({ files, turn: one }) => files > 0 || one === turn)),
      () => setTurns([]),
    );
  }, [api, session, turn]);
  const first = turns[0]?.turn;
  useEffect(() => {
    if (turn === undefined && first !== undefined) onChange({ base: 'turn', turn: first });
  }, [turn, first, onChange]);
  if (turns.length === 0) return null;
  return (
    <select
      className="field changes-branch"
      aria-label={t.changes.turn}
      value={turn}
      onChange={({ target }) => onChange({ base: 'turn', turn: Number(target.value) })}
    >
      {turns.map((one) => (
        <option key={one.turn} value={one.turn}>
          {wordsOf(one)}
        </option>
      ))}
    </select>
  );
}

function wordsOf({ endedAt, files, added, removed }: TurnChanges): string {
  return `${clock(endedAt)} · ${t.common.files(files)} +${added} −${removed}`;
}

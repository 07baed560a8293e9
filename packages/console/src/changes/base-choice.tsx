import { useEffect, useState } from 'react';
import type { ChangeBase } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { TurnChoice } from './turn-choice.tsx';
import type { Comparison } from './use-changes.ts';

const BASES: readonly (readonly [ChangeBase, string])[] = [
  ['head', t.changes.bases.head],
  ['start', t.changes.bases.start],
  ['turn', t.changes.bases.turn],
  ['branch', t.changes.bases.branch],
  ['merge-base', t.changes.bases.mergeBase],
];

/** Chooses what the files are compared with. */
export function BaseChoice({
  session,
  comparison,
  onChange,
}: {
  session: string;
  comparison: Comparison;
  onChange: (comparison: Comparison) => void;
}) {
  const { base, branch } = comparison;
  const choose = (next: ChangeBase): void => {
    const isOfBranch = next === 'branch' || next === 'merge-base';
    onChange(isOfBranch && branch !== undefined ? { base: next, branch } : { base: next });
  };
  return (
    <>
      <label className="changes-choice">
        <span className="faint small">{t.changes.comparedWith}</span>
        <select
          className="field"
          value={base}
          onChange={({ target }) => choose(BASES.find(([name]) => name === target.value)?.[0] ?? 'head')}
        >
          {BASES.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {(base === 'branch' || base === 'merge-base') && (
        <BranchChoice session={session} base={base} branch={branch} onChange={onChange} />
      )}
      {base === 'turn' && <TurnChoice session={session} turn={comparison.turn} onChange={onChange} />}
    </>
  );
}

function BranchChoice({
  session,
  base,
  branch,
  onChange,
}: {
  session: string;
  base: ChangeBase;
  branch: string | undefined;
  onChange: (comparison: Comparison) => void;
}) {
  const { api } = useHub();
  const [branches, setBranches] = useState<readonly string[]>([]);
  useEffect(() => {
    // Without a list there is nothing to choose: the changes themselves say why.
    api.branches(session).then(
      ({ items }) => setBranches(items),
      () => setBranches([]),
    );
  }, [api, session]);
  const first = branches[0];
  useEffect(() => {
    if (branch === undefined && first !== undefined) onChange({ base, branch: first });
  }, [base, branch, first, onChange]);
  if (branches.length === 0) return null;
  return (
    <select
      className="field changes-branch"
      aria-label={t.changes.branch}
      value={branch}
      onChange={({ target }) => onChange({ base, branch: target.value })}
    >
      {branches.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

import { useEffect, useState } from 'react';
import type { ChangeBase } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import type { Comparison } from './use-changes.ts';

const BASES: readonly (readonly [ChangeBase, string])[] = [
  ['head', 'the last commit'],
  ['branch', 'a branch'],
  ['merge-base', 'where it left a branch'],
];

/** Chooses what the files are compared with. */
export function BaseChoice({
  session,
  comparison: { base, branch },
  onChange,
}: {
  session: string;
  comparison: Comparison;
  onChange: (comparison: Comparison) => void;
}) {
  const { api } = useHub();
  const [branches, setBranches] = useState<readonly string[]>([]);
  const isOfBranch = base !== 'head';
  useEffect(() => {
    // Without a list there is nothing to choose: the changes themselves say why.
    if (isOfBranch)
      api.branches(session).then(
        ({ items }) => setBranches(items),
        () => setBranches([]),
      );
  }, [api, session, isOfBranch]);
  const first = branches[0];
  useEffect(() => {
    if (isOfBranch && branch === undefined && first !== undefined) onChange({ base, branch: first });
  }, [base, isOfBranch, branch, first, onChange]);
  const choose = (next: ChangeBase): void =>
    onChange(next === 'head' || branch === undefined ? { base: next } : { base: next, branch });
  return (
    <>
      <label className="changes-choice">
        <span className="faint small">Compared with</span>
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
      {isOfBranch && branches.length > 0 && (
        <select
          className="field changes-branch"
          aria-label="Branch"
          value={branch}
          onChange={({ target }) => onChange({ base, branch: target.value })}
        >
          {branches.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </>
  );
}

import { useEffect, useState } from 'react';
import type { ChangedFile, FileDiff } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';
import type { Comparison } from './use-changes.ts';

/** How a file differs; asked again with every version, and until then what it was. */
export function useFileDiff(
  session: string,
  { path, oldPath }: Pick<ChangedFile, 'path' | 'oldPath'>,
  comparison: Comparison,
  version: number,
): { diff: FileDiff | undefined; problem: string } {
  const { api } = useHub();
  const [view, setView] = useState<{ diff: FileDiff | undefined; problem: string }>({
    diff: undefined,
    problem: '',
  });
  useEffect(() => {
    let isCurrent = true;
    api.fileDiff(session, { path, ...(oldPath === undefined ? {} : { oldPath }), ...comparison }).then(
      (diff) => isCurrent && setView({ diff, problem: '' }),
      (error: unknown) => isCurrent && setView({ diff: undefined, problem: problemWords(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, session, path, oldPath, comparison, version]);
  return view;
}

import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChangeBase, FolderChangeList } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';

/** What the files are compared with. */
export interface Comparison {
  base: ChangeBase;
  branch?: string;
  /** For the base `turn`: the entry with which it ended. */
  turn?: number;
}

/** What is known of the changes of a session's folder. */
export interface ChangesView {
  list: FolderChangeList | undefined;
  problem: string;
  /** Another number whenever they were looked at again. */
  version: number;
  /** Look again. */
  load: () => void;
}

/** The changes of a folder, live for as long as they are shown. */
export function useChanges(session: string, comparison: Comparison): ChangesView {
  const { api, stream } = useHub();
  const [view, setView] = useState<Omit<ChangesView, 'load'>>({ list: undefined, problem: '', version: 0 });
  const wanted = useRef(comparison);
  const state = useRef<'idle' | 'asking' | 'again'>('idle');
  const load = useCallback(() => {
    const ask = async (): Promise<void> => {
      state.current = 'asking';
      const asked = wanted.current;
      const answer = await api.changes(session, asked).then(
        (list) => ({ list, problem: '' }),
        (error: unknown) => ({ list: undefined, problem: problemWords(error) }),
      );
      if (asked === wanted.current) setView(({ version }) => ({ ...answer, version: version + 1 }));
      // What changed while it was asked may be missing in the answer.
      const isAsked = isAgain(state.current);
      state.current = 'idle';
      if (isAsked) void ask();
    };
    if (state.current === 'idle') void ask();
    else state.current = 'again';
  }, [api, session]);
  useEffect(() => {
    wanted.current = comparison;
    load();
  }, [comparison, load]);
  useEffect(() => stream.watchChanges(session, load), [stream, session, load]);
  return { ...view, load };
}

function isAgain(state: 'idle' | 'asking' | 'again'): boolean {
  return state === 'again';
}

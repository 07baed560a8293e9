import { useCallback, useMemo, useState } from 'react';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';

/** A discard that can be undone. */
export interface DoneDiscard {
  path: string;
  discard: string;
}

/** What was done last: a discard, or a commit by its hash. */
export type DoneAct = DoneDiscard | { commit: string };

/** What a person can do with changed files. */
export interface FileActs {
  stage: (paths: readonly string[]) => Promise<void>;
  unstage: (paths: readonly string[]) => Promise<void>;
  discard: (path: string) => Promise<void>;
  undo: (done: DoneDiscard) => Promise<void>;
  /** Whether it was committed. */
  commit: (message: string) => Promise<boolean>;
}

/** As many files as the hub takes at once. */
const MOST_PATHS = 1000;

/** What is done is shown when git says so, and what could not be, in words. */
export function useFileActs(
  session: string,
  load: () => void,
): { acts: FileActs; isBusy: boolean; problem: string; done: DoneAct | undefined; forget: () => void } {
  const { api } = useHub();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [done, setDone] = useState<DoneAct>();
  const attempt = useCallback(
    async (work: () => Promise<unknown>): Promise<boolean> => {
      setBusy(true);
      setProblem('');
      try {
        await work();
        return true;
      } catch (error) {
        setProblem(problemWords(error));
        return false;
      } finally {
        setBusy(false);
        load();
      }
    },
    [load],
  );
  const acts = useMemo(
    (): FileActs => ({
      stage: async (paths) => void (await attempt(() => inParts(paths, (some) => api.stage(session, some)))),
      unstage: async (paths) =>
        void (await attempt(() => inParts(paths, (some) => api.unstage(session, some)))),
      discard: async (path) =>
        void (await attempt(async () => setDone({ path, ...(await api.discard(session, [path])) }))),
      undo: async ({ discard }) =>
        void (await attempt(async () => {
          await api.undoDiscard(session, discard);
          setDone(undefined);
        })),
      commit: (message) =>
        attempt(async () => setDone({ commit: (await api.commit(session, message)).commit })),
    }),
    [api, attempt, session],
  );
  const forget = useCallback(() => {
    setDone(undefined);
    setProblem('');
  }, []);
  return { acts, isBusy, problem, done, forget };
}

async function inParts(paths: readonly string[], work: (some: string[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < paths.length; at += MOST_PATHS) await work(paths.slice(at, at + MOST_PATHS));
}

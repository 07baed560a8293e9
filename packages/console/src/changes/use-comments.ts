import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ChangeComment } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';
import type { Comparison } from './use-changes.ts';

/** The lines that a comment is about. */
export type CommentPlace = Pick<ChangeComment, 'path' | 'side' | 'line' | 'quote'>;

/** What a person can do with comments. */
export interface CommentActs {
  /** Whether it is kept. */
  add: (place: CommentPlace, text: string) => Promise<boolean>;
  remove: (id: string) => Promise<void>;
  send: () => Promise<void>;
}

/** The comments of a session that were not sent yet; looked at again with every version of the changes. */
export function useComments(
  session: string,
  comparison: Comparison,
  version: number,
): { comments: readonly ChangeComment[]; acts: CommentActs; problem: string; forget: () => void } {
  const { api } = useHub();
  const [comments, setComments] = useState<readonly ChangeComment[]>([]);
  const [problem, setProblem] = useState('');
  const load = useCallback(async () => {
    // The changes themselves say why there is nothing to see.
    setComments(await api.changeComments(session).catch(() => []));
  }, [api, session]);
  useEffect(() => void load(), [load, version]);
  const acts = useMemo((): CommentActs => {
    const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
      try {
        await work();
        setProblem('');
        return true;
      } catch (error) {
        setProblem(problemWords(error));
        return false;
      } finally {
        await load();
      }
    };
    return {
      add: (place, text) => attempt(() => api.addChangeComment(session, { ...place, text, ...comparison })),
      remove: async (id) => void (await attempt(() => api.removeChangeComment(session, id))),
      send: async () => void (await attempt(() => api.sendChangeComments(session, crypto.randomUUID()))),
    };
  }, [api, session, comparison, load]);
  const forget = useCallback(() => setProblem(''), []);
  return { comments, acts, problem, forget };
}

import { isJsonObject, numberAt, textAt } from '@signalbox/protocol';
import { useEffect, useState } from 'react';
import type { Session } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';

/** What it would take to put files back: nothing can be said, or what would change. */
export type FilePreview =
  | { state: 'looking' }
  | { state: 'impossible'; why: string }
  | { state: 'known'; uuid: string; files: readonly string[]; insertions: number; deletions: number };

const BUSY = new Set<Session['state']>(['active', 'asking', 'starting']);

/** Asks the agent what became of its files since a prompt; nothing is changed. */
export function useFilePreview(session: Session, seq: number): FilePreview {
  const { api, stream } = useHub();
  const { id, state } = session;
  const [preview, setPreview] = useState<FilePreview>({ state: 'looking' });
  useEffect(() => {
    let isWanted = true;
    const look = async (): Promise<FilePreview> => {
      if (BUSY.has(state)) return { state: 'impossible', why: t.goBack.atWork };
      const [entry] = (await api.events(id, { from: seq, limit: 1 })).entries;
      const uuid = isJsonObject(entry?.message) ? textAt(entry.message, 'uuid') : '';
      const request = { subtype: 'rewind_files', user_message_id: uuid, dry_run: true };
      const answer = await stream.control(id, request);
      if (answer.canRewind !== true)
        return { state: 'impossible', why: textAt(answer, 'error') || t.goBack.nothingKept };
      const files = Array.isArray(answer.filesChanged) ? answer.filesChanged.map(String) : [];
      const [insertions = 0, deletions = 0] = [numberAt(answer, 'insertions'), numberAt(answer, 'deletions')];
      return { state: 'known', uuid, files, insertions, deletions };
    };
    void look()
      .catch((error: unknown): FilePreview => ({ state: 'impossible', why: problemWords(error) }))
      .then((found) => isWanted && setPreview(found));
    return () => {
      isWanted = false;
    };
  }, [api, stream, id, seq, state]);
  return preview;
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationFiles } from '@signalbox/hub';
import { isJsonObject, parseJson } from '@signalbox/protocol';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import { processStat } from '@signalbox/transport/stdio';
import { configFolder, storedMessages, storedTranscript } from './stored-transcript.ts';

/** How much of a note about a running process is read. */
const NOTE_LENGTH = 64 * 1024;

/** The conversations that agents left in the transcripts of whoever runs the hub. */
export const STORED_CONVERSATIONS: ConversationFiles = {
  list: async ({ folder, limit }) => {
    // Loaded when somebody looks: a hub at rest has no use for it.
    const { listSessions } = await import('signalbox');
    const found = await listSessions({ limit, ...(folder === undefined ? {} : { dir: folder }) });
    return found.map(({ sessionId, cwd, summary, gitBranch, createdAt, lastModified }) => ({
      id: sessionId,
      folder: cwd ?? null,
      title: summary,
      // What agents note where there is no branch.
      branch: gitBranch && gitBranch !== 'HEAD' ? gitBranch : null,
      createdAt: createdAt ?? null,
      updatedAt: Math.round(lastModified),
    }));
  },
  holder: async (id) => (await runningConversations()).get(id),
  heldBy: async (pid) => {
    const running = await runningConversations();
    return [...running].find(([, holder]) => holder === pid)?.[0];
  },
  transcript: storedTranscript,
  messages: storedMessages,
};

/** Which conversations `claude` has open in a process, and in which: it keeps a note about each in its `sessions` folder. */
export async function runningConversations(config = configFolder(process.env)): Promise<Map<string, number>> {
  const folder = join(config, 'sessions');
  const names = await readdir(folder).catch(() => []);
  const notes = names.filter((name) => /^\d+\.json$/.test(name));
  const running = new Map<string, number>();
  for (const name of notes) {
    const { sessionId, pid, procStart } = noteIn(join(folder, name));
    if (typeof sessionId !== 'string' || typeof pid !== 'number') continue;
    // A note that a killed process left names a process that is gone, or another one by now.
    if (processStat(pid)?.startTime === procStart) running.set(sessionId, pid);
  }
  return running;
}

function noteIn(file: string): Record<string, unknown> {
  try {
    const text = readPlainFile(file);
    const note = text.length > NOTE_LENGTH ? undefined : parseJson(text);
    return isJsonObject(note) ? note : {};
  } catch {
    return {};
  }
}

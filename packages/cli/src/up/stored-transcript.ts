import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TakeMessages, TranscriptOnDisk, TranscriptPlace, TranscriptSince } from '@signalbox/hub';
import { LIMITS, plainProjectKey, projectKey, SignalboxError } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import type { FromTranscript, TranscriptTask } from './transcript-message.ts';

const MIB = 1024 * 1024;

/** A session id becomes a file name: nothing but a UUID is taken. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The transcript of a conversation is longer than is read. */
export class TranscriptTooLongError extends SignalboxError {
  constructor(id: string, what: string) {
    super('TRANSCRIPT_TOO_LONG', `The transcript of conversation ${id} ${what}.`);
  }
}

/** The thread's program. Who runs from source has it from the last build. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? '../../../../dist/chunks/transcript-worker.js' : './transcript-worker.js',
  import.meta.url,
);

/** The last transcript that was looked at, and what it was then: who waits for the end of a turn looks again and again. */
let lastLook: { state: string; facts: TranscriptOnDisk | undefined } | undefined;

/** One is read at a time: together they would take what the hub itself needs. */
let reading: Promise<unknown> = Promise.resolve();

/** What is known of what an agent wrote of a conversation. Raises `TRANSCRIPT_TOO_LONG`. */
export async function storedTranscript(
  id: string,
  place: TranscriptPlace,
): Promise<TranscriptOnDisk | undefined> {
  const found = await fileOf(id, place);
  if (!found) return undefined;
  const { file, state } = found;
  if (lastLook?.state === state) return lastLook.facts;
  const facts = await read({ file, id });
  lastLook = { state, facts };
  return facts;
}

/** Passes on what was said since, the oldest first, in slices. Raises `TRANSCRIPT_TOO_LONG`, and what `take` does. */
export async function storedMessages(
  id: string,
  place: TranscriptPlace,
  since: TranscriptSince,
  take: TakeMessages,
): Promise<void> {
  const found = await fileOf(id, place);
  if (found) await read({ file: found.file, id, since }, take);
}

/** Where the agents of an environment keep what they know. */
export function configFolder({ CLAUDE_CONFIG_DIR, HOME }: NodeJS.ProcessEnv): string {
  return CLAUDE_CONFIG_DIR || join(HOME || homedir(), '.claude');
}

/** The file of a transcript, and by what it is told from what it was before. */
async function fileOf(
  id: string,
  { folder, env }: TranscriptPlace,
): Promise<{ file: string; state: string } | undefined> {
  if (!UUID.test(id)) return undefined;
  const projects = join(configFolder({ ...process.env, ...env }), 'projects');
  const path = realPath(folder);
  for (const key of new Set([projectKey(path), plainProjectKey(path)])) {
    const file = join(projects, key, `${id}.jsonl`);
    const info = await stat(file).catch(() => undefined);
    if (!info?.isFile()) continue;
    const { size, mtimeMs, ino } = info;
    if (size > LIMITS.storedTranscriptBytes.most)
      throw new TranscriptTooLongError(
        id,
        `has ${inMib(size)} MiB, and up to ${inMib(LIMITS.storedTranscriptBytes.most)} are read`,
      );
    return { file, state: [file, ino, size, mtimeMs].join('\0') };
  }
  return undefined;
}

/** Have a thread read a transcript, once those before it were read. */
async function read(task: TranscriptTask, take?: TakeMessages): Promise<TranscriptOnDisk | undefined> {
  const facts = reading.then(() => readOnThread(task, take));
  reading = facts.catch(() => {});
  return facts;
}

async function readOnThread(
  task: TranscriptTask,
  take?: TakeMessages,
): Promise<TranscriptOnDisk | undefined> {
  const worker = new Worker(PROGRAM, { workerData: task });
  // A hub that leaves does not wait for it.
  worker.unref();
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (message: FromTranscript) => {
        if (message.kind === 'facts') resolve(message.facts);
        else if (message.kind === 'too-long')
          reject(new TranscriptTooLongError(task.id, 'has more entries than are read'));
        else take?.(message.messages).then(() => worker.postMessage('next', []), reject);
      });
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The thread that read a transcript has ended.')));
    });
  } finally {
    await worker.terminate();
  }
}

function inMib(bytes: number): number {
  return Math.round(bytes / MIB);
}

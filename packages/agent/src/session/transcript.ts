import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonObject, TranscriptEntry } from '@signalbox/protocol';
import { PROTOCOL_VERSION } from '../base/version.ts';
import { TranscriptLostError, TranscriptWriteError } from './session-errors.ts';

/** What may wait for a disk that is slow, full or gone, beside what is being written. */
const WAITING_LIMIT_BYTES = 64 * 1024 * 1024;

/** The last moment that a date can name: a transcript from elsewhere may end with it. */
const MAX_TIME = 8.64e15;

const NEWLINE = '\n';

/** A message on its way into the transcript; its place in the conversation is given to it there. */
export interface NewEntry extends JsonObject {
  type: 'user' | 'assistant' | 'system';
  /** A new one, unless the message has one already. */
  uuid?: string | undefined;
}

/** Is told which lines were written to which file. */
export type WrittenListener = (file: string, lines: readonly string[]) => void;

/** Takes down a session as it happens. */
export interface SessionLog {
  /** Absent when nothing is kept. */
  readonly file?: string;
  /** Who hears of what was written; transcripts of its sub-agents tell the same one. */
  readonly onWritten?: WrittenListener;
  /** The message that the next one follows. */
  readonly lastUuid: string | null;
  /** Write the next message of the conversation. Returns its uuid. */
  add(entry: NewEntry): string;
  /** Write a line that is no message, as it is. */
  addNote(entry: TranscriptEntry): void;
  /** Wait until all that was added is on disk, or has failed to get there. */
  flush(): Promise<void>;
}

/** What a transcript needs to know about its session. */
export interface TranscriptOptions {
  file: string;
  sessionId: string;
  cwd: string;
  gitBranch: string;
  /** The message that the session goes on from, and when it was said. */
  lastUuid?: string | null;
  lastTimestamp?: string | undefined;
  /** What every entry carries beside, for example whose thread it belongs to. */
  marks?: JsonObject;
  onWritten?: WrittenListener | undefined;
  /** Called once when writing fails, and once more when too much waits. */
  onError: (error: TranscriptWriteError | TranscriptLostError) => void;
}

/** The file of a session: append-only, a line for each message, in the form that `claude` reads and writes. */
export class Transcript implements SessionLog {
  readonly #options: TranscriptOptions;
  readonly onWritten?: WrittenListener;
  #lastUuid: string | null;
  #lastTime: number;
  #state: 'idle' | 'writing' | 'lost' = 'idle';
  #waiting: string[] = [];
  #waitingBytes = 0;
  #written: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(options: TranscriptOptions) {
    this.#options = options;
    if (options.onWritten) this.onWritten = options.onWritten;
    this.#lastUuid = options.lastUuid ?? null;
    this.#lastTime = Date.parse(options.lastTimestamp ?? '') || 0;
  }

  get file(): string {
    return this.#options.file;
  }

  get lastUuid(): string | null {
    return this.#lastUuid;
  }

  add({ uuid = crypto.randomUUID(), ...entry }: NewEntry): string {
    const { sessionId, cwd, gitBranch, marks } = this.#options;
    this.addNote({
      parentUuid: this.#lastUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId,
      version: PROTOCOL_VERSION,
      gitBranch,
      ...marks,
      ...entry,
      uuid,
      timestamp: this.#nextTimestamp(),
    });
    this.#lastUuid = uuid;
    return uuid;
  }

  addNote(entry: TranscriptEntry): void {
    if (this.#state === 'lost') return;
    const line = JSON.stringify(entry) + NEWLINE;
    this.#waiting.push(line);
    this.#waitingBytes += Buffer.byteLength(line);
    void this.flush();
    this.#checkLimit();
  }

  flush(): Promise<void> {
    if (this.#state === 'idle' && this.#waiting.length > 0) this.#written = this.#writeWaiting();
    return this.#written;
  }

  /** Old versions of claude take the latest message for the last, and of two equal ones the first. */
  #nextTimestamp(): string {
    this.#lastTime = Math.min(MAX_TIME, Math.max(Date.now(), this.#lastTime + 1));
    return new Date(this.#lastTime).toISOString();
  }

  /** Writes until nothing waits. What fails stays in front of what comes next: the order holds across an outage. */
  async #writeWaiting(): Promise<void> {
    this.#state = 'writing';
    // Lines that are added in one go leave in one write.
    await Promise.resolve();
    try {
      while (this.#waiting.length > 0) await this.#append();
    } catch (error) {
      if (!this.#hasFailed) this.#options.onError(new TranscriptWriteError(this.#options.file, error));
      this.#hasFailed = true;
    }
    if (this.#state === 'writing') this.#state = 'idle';
    this.#checkLimit();
  }

  async #append(): Promise<void> {
    const lines = this.#waiting;
    const bytes = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      await appendLines(this.#options.file, lines.join(''));
    } catch (error) {
      this.#waiting = [...lines, ...this.#waiting];
      this.#waitingBytes += bytes;
      throw error;
    }
    this.#options.onWritten?.(this.#options.file, lines);
  }

  #checkLimit(): void {
    if (this.#state === 'lost' || this.#waitingBytes <= WAITING_LIMIT_BYTES) return;
    this.#state = 'lost';
    this.#waiting = [];
    this.#options.onError(new TranscriptLostError(this.#options.file, WAITING_LIMIT_BYTES));
  }
}

/** Append whole lines to a transcript that only its owner can read. */
export async function appendLines(file: string, lines: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a+', 0o600);
  try {
    // A line that a crash or a full disk cut short ends here: what follows must not be glued to it.
    await handle.appendFile((await isTorn(handle)) ? NEWLINE + lines : lines);
  } finally {
    await handle.close();
  }
}

async function isTorn(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last.toString() !== NEWLINE;
}

/** For `--no-session-persistence`: keeps count of the conversation, and nothing else. */
export class NoTranscript implements SessionLog {
  lastUuid: string | null = null;

  add({ uuid = crypto.randomUUID() }: NewEntry): string {
    this.lastUuid = uuid;
    return uuid;
  }

  addNote(): void {}

  flush(): Promise<void> {
    return Promise.resolve();
  }
}

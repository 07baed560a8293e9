import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Draft, draftOf } from './draft.ts';

/** What was typed before, across runs. */
export interface History {
  /** The oldest first. */
  read(): string[];
  add(text: string): void;
}

/** How many prompts a history file gives back; it is cut to this when it holds twice as many. */
export const HISTORY_LIMIT = 1000;

/** A history in a file, one JSON string a line. A file that cannot be read or written costs the history, not the chat. */
export function createFileHistory(path: string): History {
  return {
    read() {
      const texts = readTexts(path);
      if (texts.length > 2 * HISTORY_LIMIT) rewrite(path, texts.slice(-HISTORY_LIMIT));
      return texts.slice(-HISTORY_LIMIT);
    },
    add(text) {
      quietly(() => {
        mkdirSync(dirname(path), { recursive: true });
        appendFileSync(path, `${JSON.stringify(text)}\n`, { mode: 0o600 });
      });
    },
  };
}

function readTexts(path: string): string[] {
  const lines = quietly(() => readFileSync(path, 'utf8').split('\n')) ?? [];
  return lines.flatMap((line) => {
    const text = quietly((): unknown => JSON.parse(line));
    return typeof text === 'string' ? [text] : [];
  });
}

function rewrite(path: string, texts: readonly string[]): void {
  quietly(() => {
    const next = `${path}.${process.pid}`;
    writeFileSync(next, texts.map((text) => `${JSON.stringify(text)}\n`).join(''), { mode: 0o600 });
    renameSync(next, path);
  });
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Walks through a history, and back to what was being written. */
export class HistoryWalk {
  readonly #history: History | undefined;
  readonly #texts: string[];
  #at: number;
  #unsent: Draft | undefined;

  constructor(history: History | undefined) {
    this.#history = history;
    this.#texts = history?.read() ?? [];
    this.#at = this.#texts.length;
  }

  add(text: string): void {
    if (this.#texts.at(-1) !== text) {
      this.#texts.push(text);
      this.#history?.add(text);
    }
    this.#at = this.#texts.length;
    this.#unsent = undefined;
  }

  older(draft: Draft): Draft | undefined {
    const text = this.#texts[this.#at - 1];
    if (text === undefined) return undefined;
    if (this.#at === this.#texts.length) this.#unsent = draft;
    this.#at--;
    return draftOf(text);
  }

  newer(): Draft | undefined {
    if (this.#at >= this.#texts.length) return undefined;
    this.#at++;
    const text = this.#texts[this.#at];
    return text === undefined ? this.#unsent : draftOf(text);
  }
}

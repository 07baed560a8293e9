import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TerminalExit } from '@signalbox/protocol/hub';

/** What a terminal's process keeps about itself, for those who look for it; nothing of it is a secret. */
export interface TerminalMeta {
  session: string;
  number: number;
  /** Names this life of the terminal: offsets of another mean nothing in it. */
  epoch: string;
  pid: number;
  shell: string;
  /** Undefined in what earlier versions wrote. */
  isAgent?: boolean;
  folder: string;
  startedAt: number;
  /** What everything that the shell starts carries in its environment. */
  mark: string;
  /** How the start went; neither is there before. */
  shellPid?: number;
  failure?: { code: string; message: string };
  exit?: TerminalExit;
}

export function writeTerminalMeta(folder: string, meta: TerminalMeta): void {
  const draft = join(folder, 'meta.json.new');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${JSON.stringify(meta, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, join(folder, 'meta.json'));
}

/** What a terminal's process wrote about itself; undefined when it has not come to that. */
export function readTerminalMeta(folder: string): TerminalMeta | undefined {
  try {
    // Written by this program and replaced as a whole.
    const meta: TerminalMeta = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'));
    return meta;
  } catch {
    return undefined;
  }
}

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, messageOf, parseJson } from '@signalbox/protocol';
import type { WorktreeSetup } from '@signalbox/protocol/hub';
import { readPlainFile } from '@signalbox/transport/read-plain-file';
import * as z from 'zod';
import { replaceFile } from '../base/replace-file.ts';
import { SetupChangedError, SetupInvalidError } from './worktree-errors.ts';
import { textOf } from './worktree-record.ts';

/** Where a repository says what is done in a new worktree: in its main working tree, committed or not. */
export const SETUP_FILE = '.signalbox/worktree.json';

const setupFile = z.strictObject({
  setup: z.string().min(1).max(10_000).exactOptional(),
  copy: z.array(z.string().min(1).max(1000)).max(100).exactOptional(),
});

/** Which set-ups the person trusts: for each repository the exact text that they have seen. */
export class TrustedSetups {
  readonly #file: string;

  constructor(home: string) {
    this.#file = join(home, 'trusted-setups.json');
  }

  /** What a repository says of new worktrees; null when it says nothing. Raises `SETUP_INVALID`. */
  look(root: string): WorktreeSetup | null {
    const file = join(root, SETUP_FILE);
    const text = textIn(file);
    if (text === undefined) return null;
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      throw new SetupInvalidError(file, messageOf(error));
    }
    const parsed = setupFile.safeParse(value);
    if (!parsed.success) throw new SetupInvalidError(file, z.prettifyError(parsed.error));
    const { setup, copy = [] } = parsed.data;
    return { text, command: setup ?? null, copy, isTrusted: this.#all()[root] === text };
  }

  /** Raises `SETUP_CHANGED` when it is not what the person was shown. */
  trust(root: string, text: string): void {
    if (this.look(root)?.text !== text) throw new SetupChangedError(join(root, SETUP_FILE));
    this.#keep({ ...this.#all(), [root]: text });
  }

  distrust(root: string): void {
    const { [root]: _, ...others } = this.#all();
    this.#keep(others);
  }

  #all(): Record<string, string> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
    return JSON.parse(textOf(this.#file) ?? '{}') as Record<string, string>;
  }

  #keep(all: Record<string, string>): void {
    replaceFile(this.#file, JSON.stringify(all, undefined, 2));
  }
}

function textIn(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const { most } = LIMITS.setupFileBytes;
  if (stats.size > most) throw new SetupInvalidError(file, `it has more than ${most} bytes`);
  try {
    return readPlainFile(file);
  } catch (error) {
    throw new SetupInvalidError(file, messageOf(error));
  }
}

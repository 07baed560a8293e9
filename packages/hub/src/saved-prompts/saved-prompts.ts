import { join } from 'node:path';
import { type JsonObject, LIMITS, numberAt, textAt } from '@signalbox/protocol';
import type { SavedPrompt } from '@signalbox/protocol/hub';
import { NamedFile } from '../base/named-file.ts';
import { SavedPromptLimitError, SavedPromptsUnreadableError } from './saved-prompt-errors.ts';

type Kept = Omit<SavedPrompt, 'name'>;

/** Prompts that people use again, under names: a file of the hub's home, the same for all who drive its agents. */
export class SavedPrompts {
  readonly #file: NamedFile<Kept>;

  constructor(home: string) {
    const unreadable = (file: string): Error => new SavedPromptsUnreadableError(file);
    this.#file = new NamedFile(join(home, 'saved-prompts.json'), keptIn, unreadable);
  }

  list(): SavedPrompt[] {
    return Array.from(this.#file.load(), ([name, kept]) => ({ name, ...kept })).toSorted((one, other) =>
      one.name.localeCompare(other.name),
    );
  }

  /** In the place of the one that has the name. Raises `SAVED_PROMPT_LIMIT`. */
  save(name: string, text: string): SavedPrompt {
    const all = this.#file.load();
    const kept = { text, updatedAt: Date.now() };
    all.set(name, kept);
    if (all.size > LIMITS.savedPrompts.most || bytesOf(all) > LIMITS.savedPromptBytes.most)
      throw new SavedPromptLimitError();
    this.#file.save(all);
    return { name, ...kept };
  }

  /** One that is not there is removed already. */
  remove(name: string): void {
    const all = this.#file.load();
    if (all.delete(name)) this.#file.save(all);
  }
}

function bytesOf(all: ReadonlyMap<string, Kept>): number {
  let bytes = 0;
  for (const { text } of all.values()) bytes += Buffer.byteLength(text);
  return bytes;
}

function keptIn(kept: JsonObject): Kept {
  return { text: textAt(kept, 'text'), updatedAt: numberAt(kept, 'updatedAt') ?? 0 };
}

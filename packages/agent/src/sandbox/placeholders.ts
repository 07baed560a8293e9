import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { systemCode } from '../base/tool-failure.ts';

/** A path that a command must not make something at. */
export interface Placeholder {
  readonly path: string;
  /** A file of this content; without it an empty folder, which git does not see. */
  readonly content?: string;
}

/** Only what exists can be mounted read-only: these stand where nothing is, as long as somebody holds them. */
export class Placeholders {
  readonly #held = new Map<string, { readonly placeholder: Placeholder; holders: number }>();

  /** Returns how to let go of them. Where one cannot be made, a command cannot make anything either. */
  hold(wanted: readonly Placeholder[]): () => void {
    const held = wanted.filter((placeholder) => this.#take(placeholder));
    return () => {
      for (const { path } of held) {
        const entry = this.#held.get(path);
        if (!entry) continue;
        entry.holders -= 1;
        if (entry.holders === 0) this.remove(path);
      }
    };
  }

  /** Make room at a path, whoever holds it: a person wants a file there. */
  remove(path: string): void {
    const entry = this.#held.get(path);
    if (!entry) return;
    this.#held.delete(path);
    const { content } = entry.placeholder;
    try {
      if (content === undefined) rmdirSync(path);
      else if (readFileSync(path, 'utf8') === content) rmSync(path);
    } catch {
      // Someone has put something there: it is theirs now.
    }
  }

  removeAll(): void {
    for (const path of this.#held.keys()) this.remove(path);
  }

  #take(placeholder: Placeholder): boolean {
    const { path, content } = placeholder;
    const entry = this.#held.get(path);
    if (entry) {
      entry.holders += 1;
      return true;
    }
    try {
      if (content === undefined) makeFolder(path);
      else writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    } catch {
      return false;
    }
    this.#held.set(path, { placeholder, holders: 1 });
    return true;
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // An empty folder that an agent left behind when it was killed is taken over.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

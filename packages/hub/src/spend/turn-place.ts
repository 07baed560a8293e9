import { type JsonObject, listAt, objectAt, textAt } from '@signalbox/protocol';

/** More folders than an agent works in; what it names after them is counted in the last one. */
const MAX_FOLDERS = 16;

/** Where and when something was spent. */
export interface SpendPlace {
  folder: string | null;
  day: string;
}

/**
 * Where a turn is counted: all of it where it began. Were its end counted elsewhere, what it sets right would be taken from what
 * others have spent there.
 */
export class TurnPlace {
  /** Every folder that anything was counted in. An agent that came by itself may name another one each time. */
  #folders: string[] = [];
  #turn: SpendPlace | undefined;

  load(kept: JsonObject): void {
    this.#folders = listAt(kept, 'folders').filter((folder) => typeof folder === 'string');
    const turn = objectAt(kept, 'turn');
    const day = textAt(turn, 'day');
    if (day !== '') this.#turn = { folder: textAt(turn, 'folder') || null, day };
  }

  /** What to keep. */
  get state(): JsonObject {
    return { folders: this.#folders, turn: this.#turn ?? null };
  }

  /** Where the turn is counted that goes on `now`. */
  of({ folder, day }: SpendPlace): SpendPlace {
    this.#turn ??= { folder: this.#known(folder), day };
    return this.#turn;
  }

  /** What comes next is of another turn. */
  end(): void {
    this.#turn = undefined;
  }

  #known(folder: string | null): string | null {
    if (folder === null || this.#folders.includes(folder)) return folder;
    if (this.#folders.length >= MAX_FOLDERS) return this.#folders.at(-1) ?? null;
    this.#folders.push(folder);
    return folder;
  }
}

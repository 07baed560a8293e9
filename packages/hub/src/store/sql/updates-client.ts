import type { UpdatePage } from '@signalbox/protocol/hub';
import type { Updates } from '../updates.ts';
import type { Caller } from './call.ts';

/** Updates as those who follow them see them: they hear of commits that changed something. */
export class UpdatesClient implements Updates {
  readonly #caller: Caller;
  readonly #listeners = new Set<() => void>();
  #position: number | undefined;

  constructor(caller: Caller, onCommit: (listener: (position: number) => void) => void) {
    this.#caller = caller;
    onCommit((position) => {
      if (position === this.#position) return;
      this.#position = position;
      for (const listener of this.#listeners) listener();
    });
  }

  async after(...values: Parameters<Updates['after']>): Promise<UpdatePage> {
    const value = await this.#caller({ part: 'updates', method: 'after', values });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the method of this name ran on the other side
    return value as UpdatePage;
  }

  onUpdate(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

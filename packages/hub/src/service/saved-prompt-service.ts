import type { SavedPrompt } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import { KeyedQueue } from '../base/keyed-queue.ts';
import type { SavedPrompts } from '../saved-prompts/saved-prompts.ts';
import type { Device } from '../store/device.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** Prompts to use again: whoever may drive all agents has them, and saves them for the others. */
export class SavedPromptService {
  readonly #prompts: SavedPrompts;
  readonly #decisions: Decisions;
  readonly #changes = new KeyedQueue();

  constructor(prompts: SavedPrompts, decisions: Decisions) {
    this.#prompts = prompts;
    this.#decisions = decisions;
  }

  async list(by: Device): Promise<SavedPrompt[]> {
    permit(by, 'drive');
    return this.#prompts.list();
  }

  async save(by: Device, { name, text }: { name: string; text: string }): Promise<SavedPrompt> {
    permit(by, 'drive');
    return this.#change(by, 'save prompt', name, () => this.#prompts.save(name, text));
  }

  async remove(by: Device, name: string): Promise<Record<string, never>> {
    permit(by, 'drive');
    await this.#change(by, 'remove saved prompt', name, () => this.#prompts.remove(name));
    return {};
  }

  /** One after the other: each writes the whole file, and others have their turn in between. */
  #change<Result>(by: Device, what: string, subject: string, work: () => Result): Promise<Result> {
    return this.#changes.run('', async () => {
      const result = work();
      await this.#decisions.keep(authorOf(by), { what, session: null, subject, isPrivate: true });
      return result;
    });
  }
}

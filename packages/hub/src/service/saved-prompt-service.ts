import type { SavedPrompt } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import type { SavedPrompts } from '../saved-prompts/saved-prompts.ts';
import type { Device } from '../store/device.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** Prompts to use again: whoever may drive all agents has them, and saves them for the others. */
export class SavedPromptService {
  readonly #prompts: SavedPrompts;
  readonly #decisions: Decisions;

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
    const saved = this.#prompts.save(name, text);
    await this.#decisions.keep(authorOf(by), {
      what: 'save prompt',
      session: null,
      subject: name,
      isPrivate: true,
    });
    return saved;
  }

  async remove(by: Device, name: string): Promise<Record<string, never>> {
    permit(by, 'drive');
    this.#prompts.remove(name);
    await this.#decisions.keep(authorOf(by), {
      what: 'remove saved prompt',
      session: null,
      subject: name,
      isPrivate: true,
    });
    return {};
  }
}

import type { InitializeResponse } from '@signalbox/protocol';
import { CHAT_COMMANDS } from '../chat-commands.ts';
import type { Choice } from '../input/completion.ts';

/** What an agent offers: its commands, beside those of the chat, and its models. */
export class Offer {
  #commands: readonly Choice[] = [];
  #models: readonly (readonly [string, string])[] = [];

  /** Names with what they stand for. */
  get models(): readonly (readonly [string, string])[] {
    return this.#models;
  }

  takeCommands(commands: InitializeResponse['commands']): void {
    this.#commands = (commands ?? []).map(({ name, description, argumentHint }) => ({
      text: name,
      detail: description ?? '',
      ...(argumentHint ? { argumentHint } : {}),
    }));
  }

  takeModels(models: InitializeResponse['models']): void {
    this.#models = (models ?? []).map(({ value, displayName, description }) => [
      value,
      [displayName, description].filter(Boolean).join(': '),
    ]);
  }

  /** Whether the agent itself has a command of this name. */
  has(name: string): boolean {
    return this.#commands.some(({ text }) => text === name);
  }

  /** Every command that can be given, by name. */
  commands(): Choice[] {
    const own = CHAT_COMMANDS.filter(({ text }) => !this.has(text));
    return [...this.#commands, ...own].toSorted((a, b) => a.text.localeCompare(b.text));
  }
}

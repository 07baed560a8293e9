import { createContext, use, useEffect, useId } from 'react';
import type { Findable } from '../model/find-commands.ts';

/** Where commands belong; what is closest to the reader's work is first. */
const GROUPS = ['session', 'do', 'go', 'page'] as const;

/** Something that can be done from the palette. */
export interface Command extends Findable {
  group: (typeof GROUPS)[number];
  /** The keys that do the same. */
  keys?: string;
  run: () => void;
}

/** What can be done on the page at the moment; each part of it says what is its own. */
export class CommandList {
  readonly #parts = new Map<string, readonly Command[]>();
  readonly #listeners = new Set<() => void>();
  #all: readonly Command[] | undefined;

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly all = (): readonly Command[] => {
    const commands = (): Command[] => [...this.#parts.values()].flat();
    this.#all ??= commands().toSorted((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
    return this.#all;
  };

  set(part: string, commands: readonly Command[]): void {
    const before = this.#parts.get(part) ?? [];
    this.#parts.set(part, commands);
    this.#all = undefined;
    // A part says the same again whenever it is drawn: while an agent writes that is with each frame.
    if (titlesOf(before) !== titlesOf(commands)) this.#tell();
  }

  delete(part: string): void {
    this.#parts.delete(part);
    this.#all = undefined;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function titlesOf(commands: readonly Command[]): string {
  return commands.map(({ title }) => title).join('\n');
}

export const CommandContext = createContext(new CommandList());

/** Offer commands for as long as a view is there. */
export function useCommands(commands: readonly Command[]): void {
  const list = use(CommandContext);
  const part = useId();
  useEffect(() => list.set(part, commands));
  useEffect(() => () => list.delete(part), [list, part]);
}

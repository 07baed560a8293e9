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

  get all(): Command[] {
    const commands = [...this.#parts.values()].flat();
    return commands.toSorted((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
  }

  set(part: string, commands: readonly Command[]): void {
    this.#parts.set(part, commands);
  }

  delete(part: string): void {
    this.#parts.delete(part);
  }
}

export const CommandContext = createContext(new CommandList());

/** Offer commands for as long as a view is there. */
export function useCommands(commands: readonly Command[]): void {
  const list = use(CommandContext);
  const part = useId();
  useEffect(() => list.set(part, commands));
  useEffect(() => () => list.delete(part), [list, part]);
}

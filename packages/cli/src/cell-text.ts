import { homedir } from 'node:os';
import { harmless } from './harmless-text.ts';

/** A text of an agent for a cell of a table: in one line, and without what would speak to the terminal. */
export function inOneLine(text: string | null): string {
  return harmless((text ?? '').replaceAll(/\s+/g, ' ').trim());
}

/** A folder with `~` for the home folder. */
export function atHome(folder: string): string {
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

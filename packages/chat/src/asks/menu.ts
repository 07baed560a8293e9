import type { Key } from '../terminal/key-decoder.ts';
import { bold, dim, type Line, plain } from '../text/line.ts';
import { hang, wrapLine } from '../text/wrap-line.ts';

/** One of several things to choose. */
export interface MenuOption {
  label: string;
  detail?: string;
  /** Undefined where one option is chosen instead of any number of them. */
  isChecked?: boolean;
}

/** The option that a key points at; undefined when the key does not choose. */
export function menuDigit(key: Key, count: number): number | undefined {
  const at = key.chord === 'text' && /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : -1;
  return at >= 0 && at < count ? at : undefined;
}

/** Where the highlight goes. */
export function menuMove(at: number, count: number, key: Key): number {
  if (key.chord === 'up' || key.chord === 'ctrl+p') return (at + count - 1) % count;
  if (key.chord === 'down' || key.chord === 'ctrl+n') return (at + 1) % count;
  return at;
}

/** The options with their numbers, the one that Enter takes highlighted. */
export function menuLines(options: readonly MenuOption[], at: number, width: number): Line[] {
  return options.flatMap(({ label, detail, isChecked }, index) => {
    const box = isChecked === undefined ? '' : isChecked ? '☑ ' : '☐ ';
    const lead = `${index === at ? '❯' : ' '} ${index + 1}. ${box}`;
    const name = index === at ? bold(label, 'cyan') : plain(label);
    const room = Math.max(width - lead.length, 1);
    const rows = wrapLine(detail ? [name, dim(`  ${detail}`)] : [name], room);
    return hang([index === at ? bold(lead, 'cyan') : dim(lead)], rows);
  });
}

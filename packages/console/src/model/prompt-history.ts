import type { ItemGroup } from './item.ts';

/** As far back as somebody goes by one key. */
const MAX_STEPS = 200;

/** What this person has said in a session, as far as it is here, the newest first. */
export function saidBy(person: string | undefined, groups: readonly ItemGroup[]): string[] {
  const said = groups.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === 'prompt' && item.who === person ? [item.text] : [])),
  );
  return said.toReversed();
}

/** What Up goes through, the newest first: what waits and what was said in this session, then in others; nothing twice. */
export function promptHistory(...told: (readonly string[])[]): string[] {
  const words = told.flat().filter((text) => text.trim() !== '');
  return [...new Set(words)].slice(0, MAX_STEPS);
}

/** A key in the box: the text that it leads to and its place, or undefined where the key moves the caret. */
export function historyStep(
  key: string,
  { text, start, end }: { text: string; start: number; end: number },
  history: readonly string[],
  place: number,
): { text: string; place: number } | undefined {
  // What was found and then changed is a prompt of its own.
  const isUntouched = place >= 0 && text === history[place];
  if (start !== end || (text !== '' && !isUntouched)) return undefined;
  const at = isUntouched ? place : -1;
  if (key === 'ArrowUp' && !text.slice(0, start).includes('\n')) {
    const older = history[at + 1];
    return older === undefined ? undefined : { text: older, place: at + 1 };
  }
  if (key === 'ArrowDown' && at >= 0 && !text.slice(end).includes('\n'))
    return { text: history[at - 1] ?? '', place: at - 1 };
  return undefined;
}

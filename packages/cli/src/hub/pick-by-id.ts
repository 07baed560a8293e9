import { harmless } from '../harmless-text.ts';

/**
 * The one that is meant by an id, or by the start of one: a whole id goes before those that begin with it. `Unclear` is raised where it
 * is none, or more than one.
 */
export function pickById<Item extends { id: string }>(
  items: readonly Item[],
  start: string,
  what: string,
  Unclear: new (problem: string) => Error,
): Item {
  const exact = items.find(({ id }) => id === start);
  const [first, ...others] = exact ? [exact] : items.filter(({ id }) => id.startsWith(start));
  if (!first) throw new Unclear(`No ${what}'s id begins with ${harmless(start)}.`);
  if (others.length > 0) throw new Unclear(`${others.length + 1} ids begin with ${harmless(start)}.`);
  return first;
}

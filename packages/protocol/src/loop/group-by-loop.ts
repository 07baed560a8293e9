/** What a list has to know of a session to put those of a loop together. */
interface OfLoop {
  loop: { id: string; iteration: number } | null;
}

/** Sessions that stand together: those of one loop, or one that belongs to none. */
export interface LoopGroup<Item> {
  /** Null for a session of no loop. */
  loop: string | null;
  /** The one that comes first in the list. */
  first: Item;
  /** The other iterations, newest first. */
  others: readonly Item[];
}

/** Sessions in the order that they have, each with those of the same loop: a loop stands where its first one does. */
export function groupByLoop<Item extends OfLoop>(sessions: readonly Item[]): LoopGroup<Item>[] {
  const groups: { loop: string | null; first: Item; others: Item[] }[] = [];
  const known = new Map<string, Item[]>();
  for (const session of sessions) {
    const id = session.loop?.id ?? null;
    const others = id === null ? undefined : known.get(id);
    if (others) {
      others.push(session);
      continue;
    }
    const group = { loop: id, first: session, others: [] };
    if (id !== null) known.set(id, group.others);
    groups.push(group);
  }
  for (const { others } of groups)
    others.sort((one, other) => (other.loop?.iteration ?? 0) - (one.loop?.iteration ?? 0));
  return groups;
}

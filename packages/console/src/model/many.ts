/** How many things of a kind are drawn each by itself: a page that draws as many as an agent likes does not answer any more. */
export const MAX_DRAWN = 200;

/** The first ones, each to be drawn by itself, and the rest. */
export function firstOf<Item>(items: readonly Item[], most = MAX_DRAWN): [Item[], Item[]] {
  return [items.slice(0, most), items.slice(most)];
}

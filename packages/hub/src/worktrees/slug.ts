/** How long a name is that is made of words: more would not be read. */
const SLUG_LENGTH = 40;

/** A name for a folder and a branch, made of words; empty when they have no letter or digit that could be part of it. */
export function slugOf(words: string): string {
  const letters = words
    .slice(0, 4 * SLUG_LENGTH)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '');
  const short =
    letters.length <= SLUG_LENGTH ? letters : letters.slice(0, SLUG_LENGTH).replace(/-[^-]*$/, '');
  return short.replace(/-+$/, '');
}

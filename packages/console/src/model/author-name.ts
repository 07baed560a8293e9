import type { Author } from '@signalbox/protocol/hub';

/** Who said or decided something, as people are told. */
export function authorName(author: Author): string {
  if (author.by === 'person') return author.name;
  return author.rule === undefined ? 'Signalbox' : `the rule ${author.rule}`;
}

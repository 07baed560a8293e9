import type { Author } from '@signalbox/protocol/hub';
import { t } from '../words/t.ts';

/** Who said or decided something, as people are told. */
export function authorName(author: Author): string {
  if (author.by === 'person') return author.name;
  return author.rule === undefined ? 'Signalbox' : t.model.theRule(author.rule);
}

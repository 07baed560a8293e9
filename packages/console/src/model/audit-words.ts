import type { AuditEntry } from '@signalbox/protocol/hub';
import { t } from '../words/t.ts';
import { authorName } from './author-name.ts';

/** Who decided something, with the device it came from. */
export function deciderOf({ author }: AuditEntry): string {
  const name = authorName(author);
  return author.by === 'person' && author.device ? `${name} · ${author.device}` : name;
}

/** Those entries in which every word occurs: in what was decided, by whom, about what, or in the title of the session. */
export function filterAudit(
  entries: readonly AuditEntry[],
  words: string,
  titleOf: (session: string) => string | undefined,
): readonly AuditEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return entries;
  return entries.filter((entry) => {
    const { what, why, subject, session } = entry;
    const title = session === null ? '' : titleOf(session);
    const text = [what, t.audit.what(what), why, subject, session, title, deciderOf(entry)]
      .filter(Boolean)
      .join('\n')
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

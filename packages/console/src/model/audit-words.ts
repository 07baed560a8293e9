import { isJsonObject, parseJson } from '@signalbox/protocol';
import type { AuditEntry } from '@signalbox/protocol/hub';
import { t } from '../words/t.ts';
import { authorName } from './author-name.ts';

/** Who decided something, with the device it came from. */
export function deciderOf({ author }: AuditEntry): string {
  const name = authorName(author);
  return author.by === 'person' && author.device ? `${name} · ${author.device}` : name;
}

/** What it was about, in words: limits and counts are kept as an object. */
export function subjectOf({ subject }: Pick<AuditEntry, 'subject'>): string | null {
  if (subject === null) return null;
  return countsIn(subject) ?? t.audit.subject(subject);
}

function countsIn(subject: string): string | undefined {
  if (!subject.startsWith('{')) return undefined;
  try {
    const counts: unknown = parseJson(subject);
    if (!isJsonObject(counts)) return undefined;
    const names: Readonly<Record<string, string>> = t.storage.kept;
    return Object.entries(counts)
      .filter(([, count]) => count !== 0)
      .map(([name, count]) => `${names[name] ?? name}: ${typeof count === 'number' ? count : '∞'}`)
      .join(', ');
  } catch {
    return undefined;
  }
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
    const { what, why, session } = entry;
    const subject = subjectOf(entry);
    const title = session === null ? '' : titleOf(session);
    const text = [
      what,
      t.audit.what(what),
      why,
      why && t.audit.why(why),
      entry.subject,
      subject,
      session,
      title,
      deciderOf(entry),
    ]
      .filter(Boolean)
      .join('\n')
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

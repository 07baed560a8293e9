import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files in which a bridge has what it may have to deliver again. */
export function journalFiles(home: string, id = 's'): string[] {
  const outbox = join(home, 'bridges', id, 'outbox');
  if (!existsSync(outbox)) return [];
  return readdirSync(outbox, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => join(outbox, name));
}

/** What they hold, together. */
export function journalOf(home: string, id = 's'): string {
  return journalFiles(home, id)
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
}

import type { CopyReport } from '@signalbox/hub';
import { byteWords } from '@signalbox/protocol';
import { commandHere } from '../own-command.ts';

/** What was copied, and where it is. */
export interface Copied extends CopyReport {
  from: string;
  to: string;
  /** Whether the copy is a PostgreSQL database. */
  isDatabase: boolean;
  /** How long the last pass took. */
  lastPassMs: number;
}

/** What was copied, and what to do next. */
export function copiedWords({ to, isDatabase, isFinished, lastPassMs, ...copied }: Copied): string {
  const { sessions, entries, bytes } = copied;
  const words = `${sessions} ${sessions === 1 ? 'session' : 'sessions'}; ${entries} entries (${byteWords(bytes)}) copied to ${to}, each compared with its checksum.\n`;
  if (!isFinished)
    return `${words}The copy is not finished, because a hub still uses the source. Stop it (${commandHere('down')}), then run this
command again: it copies what has changed since. That took ${(lastPassMs / 1000).toFixed(1)} s just now.\n`;
  const next = isDatabase
    ? `Now tell the hub to use it: ${commandHere(`config set database ${to}`)}
Then start it: ${commandHere('up')}. Do not start a hub on hub.db again: it would go on from the old data.\n`
    : `Now start a hub on it: ${commandHere('up')} with SIGNALBOX_HOME set to its folder, and without a database setting.\n`;
  return `${words}The copy is finished and the same as its source.\n${next}`;
}

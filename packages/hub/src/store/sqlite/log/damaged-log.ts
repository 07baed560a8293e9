import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { textAt } from '@signalbox/protocol';
import Libsql from 'libsql';
import { examineLog } from './examine-log.ts';
import { markFile, readLogMark } from './log-mark.ts';

/** Past this a log is not looked through: it is never so long unless something else writes to it. */
const MAX_LOG_BYTES = 1024 * 1024 * 1024;

/** What was found wrong with the log of a database when it was opened, and what became of it. */
export interface DamagedLog {
  /** When it was found. */
  at: string;
  /**
   * `restored`: as it was written, to the bit. `patched`: all of it can be read; entries in it may be damaged, and say
   * so. `cut`: what was committed behind the damage is lost. `gone`: there is no log any more.
   */
  outcome: 'restored' | 'patched' | 'cut' | 'gone';
  /** How many commits it is about, where that is known. */
  commits: number;
  /** Where the damaged log was put aside. */
  kept?: string;
}

/** Where the last damage is written down. */
export function damageFile(database: string): string {
  return `${database}-damage.json`;
}

/**
 * Look at the log that was left behind, and give what is wrong with it. If it was `restored` or `patched`, the database
 * must be closed, and opened again after {@link takeMendedLog}. Only for who holds the database's lock, and before
 * anything is written.
 */
export function examineLeftLog(database: string, pageBytes: number): DamagedLog | undefined {
  const log = `${database}-wal`;
  const length = existsSync(log) ? statSync(log).size : 0;
  if (length > MAX_LOG_BYTES) return undefined;
  const found = examineLog(
    length === 0 ? new Uint8Array() : readFileSync(log),
    readLogMark(database),
    pageBytes,
  );
  const at = new Date().toISOString();
  if (found.state === 'whole') return undefined;
  if (found.state === 'gone') return note(database, { at, outcome: 'gone', commits: 0 });
  const kept = `${log}.damaged-${at.replaceAll(/[^0-9]/g, '')}`;
  copyFileSync(log, kept);
  const { bytes, commits, damagedFrames } = found;
  if (!bytes) return note(database, { at, outcome: 'cut', commits, kept });
  writeDurably(mendedFile(database), bytes);
  return note(database, { at, outcome: damagedFrames === 0 ? 'restored' : 'patched', commits, kept });
}

/** Put a mended log in the place of the damaged one, if there is one. Only while nobody has the database open. */
export function takeMendedLog(database: string): DamagedLog | undefined {
  const mended = mendedFile(database);
  if (!existsSync(mended)) return undefined;
  const damage = lastDamage(database) ?? { at: new Date().toISOString(), outcome: 'patched', commits: 0 };
  rmSync(markFile(database), { force: true });
  if (damage.outcome === 'patched' && !isSound(database, mended)) {
    rmSync(mended);
    return note(database, { ...damage, outcome: 'cut' });
  }
  renameSync(mended, `${database}-wal`);
  return damage;
}

/** The damage that was found last, for as long as nobody has removed the note. */
export function lastDamage(database: string): DamagedLog | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
    return JSON.parse(readFileSync(damageFile(database), 'utf8')) as DamagedLog;
  } catch {
    return undefined;
  }
}

function note(database: string, damage: DamagedLog): DamagedLog {
  writeDurably(damageFile(database), Buffer.from(`${JSON.stringify(damage, undefined, 2)}\n`));
  return damage;
}

function mendedFile(database: string): string {
  return `${database}-wal.mended`;
}

/** Whether a database is sound with this log. It is tried on a copy: SQLite writes what it reads from a log. */
function isSound(database: string, mended: string): boolean {
  const copy = `${database}-trial`;
  try {
    copyFileSync(database, copy);
    copyFileSync(mended, `${copy}-wal`);
    const trial = new Libsql(copy);
    const found: unknown = trial.prepare('PRAGMA quick_check(1)').get();
    trial.close();
    return textAt(found, 'quick_check') === 'ok';
  } catch {
    // Broken beyond what can be opened, or there is no room for a copy.
    return false;
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true });
  }
}

/** Under its name only once it is whole and on the disk. */
function writeDurably(file: string, bytes: Uint8Array): void {
  const part = `${file}.part`;
  writeFileSync(part, bytes, { mode: 0o600 });
  const written = openSync(part, 'r');
  fsyncSync(written);
  closeSync(written);
  renameSync(part, file);
}

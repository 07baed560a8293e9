import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isRunning, type ProcessIdentity } from './running-process.ts';

const LOCK = /^lock-(\d+)$/;

/**
 * Own a folder: the process that made the lock with the highest number does. Whoever finds that process gone makes
 * the next number, which only one can. Returns the owner when it is someone else who runs.
 */
export function lockFolder(folder: string): ProcessIdentity | undefined {
  for (;;) {
    const numbers = lockNumbers(folder);
    const newest = Math.max(0, ...numbers);
    const owner = newest > 0 ? readOwner(folder, newest) : undefined;
    if (owner && isRunning(owner)) return owner;
    if (!make(join(folder, `lock-${newest + 1}`))) continue;
    for (const number of numbers) rmSync(join(folder, `lock-${number}`), { force: true });
    return undefined;
  }
}

/** The process that owns a folder, if it runs. */
export function ownerOf(folder: string): ProcessIdentity | undefined {
  const newest = Math.max(0, ...lockNumbers(folder));
  const owner = newest > 0 ? readOwner(folder, newest) : undefined;
  return owner && isRunning(owner) ? owner : undefined;
}

function lockNumbers(folder: string): number[] {
  try {
    const names = readdirSync(folder);
    return names.flatMap((name) => LOCK.exec(name)?.[1] ?? []).map(Number);
  } catch {
    // A bridge that is done removes its folder.
    return [];
  }
}

/** False when someone else was first. */
function make(file: string): boolean {
  // Made elsewhere and put in its place whole: a lock without its owner's name would be taken for an old one.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(identityOf(process.pid)), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readOwner(folder: string, number: number): ProcessIdentity | undefined {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(join(folder, `lock-${number}`), 'utf8'));
    return typeof pid === 'number' ? { pid, startTime: startTime ?? null } : undefined;
  } catch {
    // It was let go of just now.
    return undefined;
  }
}

import { chmodSync, lstatSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readHubFile } from '../../bridge/hub-file.ts';
import { socketIn } from '../../bridge/hub-socket-path.ts';

/** The longest path that every system takes for a socket. */
const MAX_PATH_BYTES = 100;

/** What folders begin with that hold a socket for a home with a long path. */
const FOLDER = 'signalbox-';

/**
 * A path at which a hub can listen for the programs of its own machine: in its home, or in a folder of its own where the
 * home's path is too long or others can look into it. What a killed hub left is removed: whoever calls this owns the home.
 */
export function makeSocketPath(home: string): string {
  const inHome = socketIn(home);
  for (const left of new Set([inHome, readHubFile(home)?.socket ?? inHome])) removeSocket(left, home);
  if (Buffer.byteLength(inHome) <= MAX_PATH_BYTES && isPrivate(home)) return inHome;
  // Not $XDG_RUNTIME_DIR, which goes when the person logs out; the hub may stay.
  const folder = Buffer.byteLength(tmpdir()) < MAX_PATH_BYTES / 2 ? tmpdir() : '/tmp';
  return socketIn(mkdtempSync(join(folder, FOLDER)));
}

/** Remove a socket, and the folder that was made for it alone; anything else at its place stays. */
export function removeSocket(path: string, home: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path, { force: true });
  const folder = dirname(path);
  if (folder === home || !basename(folder).startsWith(FOLDER)) return;
  try {
    rmdirSync(folder);
  } catch {
    // It is gone already, or something else is in it.
  }
}

/** Makes it so, where it belongs to us. */
function isPrivate(home: string): boolean {
  try {
    chmodSync(home, 0o700);
  } catch {
    // It is somebody else's.
  }
  return (statSync(home).mode & 0o077) === 0;
}

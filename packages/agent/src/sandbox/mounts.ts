import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { isInside } from '../base/real-path.ts';

/** What a command may do with a path and all below it. */
type Access = 'write' | 'read' | 'none';

/** One path of the sandbox, by its real name. */
export interface Mount {
  readonly path: string;
  readonly access: Access;
  readonly isFolder: boolean;
}

/** What a command may touch, as paths that may be links or missing. */
export interface MountWishes {
  /** Folders to work in, and what else can be written. */
  readonly write: readonly string[];
  /** Not written, whatever `write` says. */
  readonly protect: readonly string[];
  readonly hide: readonly string[];
  /** Read in spite of `hide`. */
  readonly show: readonly string[];
}

/** Every command has these for itself: what the machine has there is out of reach. */
const COVERED = ['/run', '/tmp'];

const STRICTNESS: Readonly<Record<Access, number>> = { write: 0, read: 1, none: 2 };

/** The mounts that fulfil the wishes over a read-only system, outer ones first: each counts for all below it. */
export function mountsFor(wishes: MountWishes): Mount[] {
  const mounts = new Map<string, Mount>();
  const add = (path: string, access: Access): void => {
    const found = mounts.get(path);
    if (found && STRICTNESS[found.access] >= STRICTNESS[access]) return;
    mounts.set(path, { path, access, isFolder: lstatSync(path).isDirectory() });
  };
  const protectedOnes = real(wishes.protect);
  const shown = real(wishes.show);
  const written = real(wishes.write).filter((path) => !isIn(path, protectedOnes));
  for (const path of written) add(path, 'write');
  for (const path of protectedOnes) {
    // A folder that is no mount of its own could be renamed, and another put in its place.
    const root = written.find((folder) => isInside(path, folder));
    if (root === undefined) continue;
    for (const parent of between(root, path)) add(parent, 'write');
    add(path, 'read');
  }
  for (const path of shown) add(path, 'read');
  for (const path of real(wishes.hide)) {
    const isCovered = isIn(path, COVERED) && !isIn(path, [...written, ...shown]);
    if (!isCovered && !isIn(path, shown)) add(path, 'none');
  }
  return [...mounts.values()].toSorted((a, b) => depth(a.path) - depth(b.path));
}

/** Sockets of this machine that have a place in its file system: a read-only mount does not keep anyone from them. */
export function unixSockets(): string[] {
  try {
    return Array.from(
      readFileSync('/proc/net/unix', 'utf8').matchAll(/ (\/.*)$/gm),
      (match) => match[1] ?? '',
    );
  } catch {
    return [];
  }
}

/** Mounts go to where links lead; what is not there cannot be mounted. */
function real(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    try {
      return [realpathSync(path)];
    } catch {
      return [];
    }
  });
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(path, folder));
}

/** The folders on the way from one to a path in it, without the two. */
function between(root: string, path: string): string[] {
  const parent = dirname(path);
  return parent === root || path === root ? [] : [...between(root, parent), parent];
}

function depth(path: string): number {
  return path === sep ? 0 : path.split(sep).length;
}

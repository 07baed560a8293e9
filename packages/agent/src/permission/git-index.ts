import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../base/tool-failure.ts';
import { gitFolderOf, repositoryProblem } from './git-settings.ts';

/** More files are not compared with rules: the line is asked about instead. */
const MAX_TRACKED = 20_000;

/** An index that is longer, of some hundred thousand files, would take too long to read. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** How many bytes the name of an object has: the index does not say which. */
const OBJECT_NAMES = [20, 32];
/** The part of an entry before the name of its object, and the flags behind it. */
const ENTRY_HEAD = 40;
const FLAGS_BYTES = 2;
/** Submodules within each other; an index that names its own folder would never end. */
const MAX_DEPTH = 8;

const MODE_AT = 24;
const SUBMODULE_MODE = 0o160000;
const HAS_MORE_FLAGS = 0x4000;

/** The files that git tracks in the repository around a folder; undefined outside of any, a text when they cannot be told. */
export function trackedFiles(folder: string): readonly string[] | string | undefined {
  const found = indexAround(folder);
  if (found === undefined || typeof found === 'string') return found;
  if (found.files.length > MAX_TRACKED) return `git tracks more than ${MAX_TRACKED} files`;
  return found.files.map((name) => join(found.root, name));
}

/** Why git may run a program when it looks into the submodules around a folder: each has settings of its own. */
export function submoduleProblem(folder: string, depth = 0): string | undefined {
  const found = indexAround(folder);
  if (found === undefined || typeof found === 'string') return found;
  if (depth > MAX_DEPTH) return `the submodules of ${folder} are nested too deeply`;
  for (const name of found.submodules) {
    const path = join(found.root, name);
    // One that is not there yet is not looked into.
    if (gitFolderOf(path) === undefined) continue;
    const problem = repositoryProblem(path) ?? submoduleProblem(path, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What the index of a repository names: files, and the folders with repositories of their own. */
interface Index {
  readonly files: readonly string[];
  readonly submodules: readonly string[];
}

/** The index of the repository around a folder; undefined outside of any, a text when it cannot be read. */
function indexAround(folder: string): ({ readonly root: string } & Index) | string | undefined {
  for (let root = folder; ; root = dirname(root)) {
    const own = gitFolderOf(root);
    if (typeof own === 'string') return own;
    if (own) {
      const index = readIndex(join(own.path, 'index'));
      return typeof index === 'string' ? index : { root, ...index };
    }
    if (root === dirname(root)) return undefined;
  }
}

/** The index that was read last, as long as the file is as it was. */
let last: { readonly file: string; readonly stamp: string; readonly index: Index } | undefined;
const SETTLED_MS = 5_000;

function readIndex(file: string): Index | string {
  try {
    const { size, mtimeMs, ino } = statSync(file);
    if (size > MAX_INDEX_BYTES) return `${file} is too long`;
    const stamp = `${size} ${mtimeMs} ${ino}`;
    if (last?.file === file && last.stamp === stamp) return last.index;
    const bytes = readFileSync(file);
    const index = OBJECT_NAMES.map((length) => namesIn(bytes, length)).find((names) => names !== undefined);
    if (!index) return `${file} cannot be read`;
    // A file that was just written may be written once more in the same moment.
    if (Date.now() - mtimeMs > SETTLED_MS) last = { file, stamp, index };
    return index;
  } catch (error) {
    // Nothing was ever added.
    return systemCode(error) === 'ENOENT' ? { files: [], submodules: [] } : `${file} cannot be read`;
  }
}

/** The names in an index, as gitformat-index(5) has them; undefined where it is written in another way. */
function namesIn(index: Buffer, objectName: number): Index | undefined {
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  const files: string[] = [];
  const submodules: string[] = [];
  // Bytes as characters: a name may be cut in the middle of one.
  let name = '';
  let at = 12;
  const flagsAt = ENTRY_HEAD + objectName;
  const sums = index.length - objectName;
  for (let left = count; left > 0; left--) {
    if (at + flagsAt + FLAGS_BYTES > sums) return undefined;
    const flags = index.readUInt16BE(at + flagsAt);
    const isSubmodule = index.readUInt32BE(at + MODE_AT) === SUBMODULE_MODE;
    let start = at + flagsAt + FLAGS_BYTES + (flags & HAS_MORE_FLAGS ? 2 : 0);
    let kept = '';
    if (version === 4) {
      const dropped = offsetAt(index, start);
      start = dropped.end;
      kept = name.slice(0, name.length - dropped.value);
    }
    const end = index.indexOf(0, start);
    if (end === -1) return undefined;
    name = kept + index.toString('latin1', start, end);
    // A folder that is not spelled out, or what is no entry.
    if (name === '' || name.endsWith('/')) return undefined;
    (isSubmodule ? submodules : files).push(Buffer.from(name, 'latin1').toString());
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  // Extensions follow; with `link` the other entries are in another file.
  while (at < sums) {
    if (at + 8 > sums || index.toString('latin1', at, at + 4) === 'link') return undefined;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === sums ? { files, submodules } : undefined;
}

/** A number in the form that git has for offsets. */
function offsetAt(index: Buffer, start: number): { value: number; end: number } {
  let at = start;
  let byte = index.readUInt8(at++);
  let value = byte & 127;
  while (byte & 128) {
    byte = index.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end: at };
}

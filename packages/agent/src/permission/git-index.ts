import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../base/tool-failure.ts';
import { gitFolderOf } from './git-settings.ts';

/** More files are not compared with rules: the line is asked about instead. */
const MAX_TRACKED = 20_000;

/** No index of so many files is longer. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024;

/** The part of an entry before its name, where names of objects have 20 bytes. */
const ENTRY_HEAD = 62;
const FLAGS_AT = 60;
const HAS_MORE_FLAGS = 0x4000;

/** The files that git tracks in the repository around a folder; a text when they cannot be told. */
export function trackedFiles(folder: string): readonly string[] | string {
  for (let at = folder; ; at = dirname(at)) {
    const own = gitFolderOf(at);
    if (typeof own === 'string') return own;
    if (own) {
      const names = readIndex(join(own.path, 'index'));
      return typeof names === 'string' ? names : names.map((name) => join(at, name));
    }
    if (at === dirname(at)) return [];
  }
}

function readIndex(file: string): readonly string[] | string {
  try {
    if (statSync(file).size > MAX_INDEX_BYTES) return `${file} is too long`;
    return namesIn(readFileSync(file)) ?? `${file} cannot be read`;
  } catch (error) {
    // Nothing was ever added.
    return systemCode(error) === 'ENOENT' ? [] : `${file} cannot be read`;
  }
}

/** The names in an index, as gitformat-index(5) has them; undefined where it is written in another way. */
function namesIn(index: Buffer): readonly string[] | undefined {
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4 || count > MAX_TRACKED)
    return undefined;
  const names: string[] = [];
  // Bytes as characters: a name may be cut in the middle of one.
  let name = '';
  let at = 12;
  for (let left = count; left > 0; left--) {
    const flags = index.readUInt16BE(at + FLAGS_AT);
    let start = at + ENTRY_HEAD + (flags & HAS_MORE_FLAGS ? 2 : 0);
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
    names.push(Buffer.from(name, 'latin1').toString());
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  // The other entries are in another file.
  return index.toString('latin1', at, at + 4) === 'link' ? undefined : names;
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

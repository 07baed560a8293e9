import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import {
  FRAME,
  FRAME_HEADER_BYTES,
  HEADER,
  LOG_HEADER_BYTES,
  pairAt,
  samePair,
  type WordPair,
} from './log-format.ts';

const NAME = Buffer.from('SgBxMark');
const MARK_BYTES = 40;
const FIELDS = { salts: 8, frames: 16, checksum: 20, crc: 28 } as const;
const NO_SALTS: WordPair = [0, 0];

/** How far a log goes: the last frame that was committed, and the checksum of all up to it. */
export interface LogMark {
  salts: WordPair;
  frames: number;
  checksum: WordPair;
}

/** The file that the mark of a database's log is kept in. */
export function markFile(database: string): string {
  return `${database}-mark`;
}

/** The mark that was left; undefined when there is none, or when it is not what was written. */
export function readLogMark(database: string): LogMark | undefined {
  let bytes: Buffer;
  try {
    // A pipe would be waited for, and a device may have no end.
    if (!isPlainFile(markFile(database))) return undefined;
    bytes = readFileSync(markFile(database));
  } catch {
    return undefined;
  }
  if (bytes.length !== MARK_BYTES || !bytes.subarray(0, NAME.length).equals(NAME)) return undefined;
  if (bytes.readUInt32BE(FIELDS.crc) !== crc32(bytes.subarray(0, FIELDS.crc))) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames = view.getUint32(FIELDS.frames);
  if (frames === 0) return undefined;
  return { salts: pairAt(view, FIELDS.salts), frames, checksum: pairAt(view, FIELDS.checksum) };
}

/**
 * Keeps the end of the log in a file of its own, from commit to commit. SQLite takes whatever follows the first damaged
 * frame of a log for the remains of a commit that never happened; with the mark that is told from damage. It is written
 * after its commit and without a sync: it may be behind the log, never ahead of it.
 */
export class LogMarker {
  readonly #frameBytes: number;
  readonly #log: number;
  readonly #mark: number;
  readonly #header = Buffer.alloc(FRAME_HEADER_BYTES);
  readonly #headerView = new DataView(this.#header.buffer, this.#header.byteOffset, FRAME_HEADER_BYTES);
  #salts = NO_SALTS;
  #frames = 0;
  /** After a commit that failed nobody knows which frames count, until the log is begun anew. */
  #isLost = false;

  /** For a database whose log is open, and empty. */
  constructor(database: string, pageBytes: number) {
    this.#frameBytes = FRAME_HEADER_BYTES + pageBytes;
    this.#log = openSync(`${database}-wal`, 'r');
    const file = markFile(database);
    // A link, a pipe or a device there was never ours, and nothing is to be written through it.
    if (!isPlainFile(file)) rmSync(file, { force: true });
    // Not truncated: whoever is killed in between leaves a mark.
    this.#mark = openSync(file, constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW, 0o600);
    this.clear();
  }

  /** Where the log's last commit ends, in bytes; its start when nobody knows. */
  get end(): number {
    return LOG_HEADER_BYTES + this.#frames * this.#frameBytes;
  }

  /** A commit was made. A log that cannot be read has no mark: reading it is not what the commit waits for. */
  advance(): void {
    try {
      this.#advance();
    } catch {
      this.lose();
    }
  }

  #advance(): void {
    if (!this.#readFrame(this.#frames)) {
      if (!this.#hasBegunAnew() || !this.#readFrame(0)) return;
    }
    if (this.#isLost) return;
    let frames = this.#frames;
    // Behind a commit the frames of one that did not come about may lie: only its own are looked at.
    do frames += 1;
    while (this.#headerView.getUint32(FRAME.commitSize) === 0 && this.#readFrame(frames));
    if (this.#headerView.getUint32(FRAME.commitSize) === 0) return this.lose();
    this.#frames = frames;
    this.#write(pairAt(this.#headerView, FRAME.checksum));
  }

  /** A commit failed. */
  lose(): void {
    this.#isLost = true;
    this.clear();
  }

  /** The log holds nothing that is not in the database as well. */
  clear(): void {
    this.#frames = 0;
    this.#write([0, 0]);
  }

  close(): void {
    closeSync(this.#log);
    closeSync(this.#mark);
  }

  #hasBegunAnew(): boolean {
    if (readSync(this.#log, this.#header, 0, 8, HEADER.salts) !== 8) return false;
    const salts = pairAt(this.#headerView, 0);
    if (samePair(salts, this.#salts)) return false;
    this.#salts = salts;
    this.#frames = 0;
    this.#isLost = false;
    return true;
  }

  /** Whether there is such a frame in this filling of the log; its header is then in `#header`. */
  #readFrame(index: number): boolean {
    const at = LOG_HEADER_BYTES + index * this.#frameBytes;
    const length = readSync(this.#log, this.#header, 0, FRAME_HEADER_BYTES, at);
    return length === FRAME_HEADER_BYTES && samePair(pairAt(this.#headerView, FRAME.salts), this.#salts);
  }

  #write(checksum: WordPair): void {
    const bytes = Buffer.alloc(MARK_BYTES);
    bytes.set(NAME);
    bytes.writeUInt32BE(this.#salts[0], FIELDS.salts);
    bytes.writeUInt32BE(this.#salts[1], FIELDS.salts + 4);
    bytes.writeUInt32BE(this.#frames, FIELDS.frames);
    bytes.writeUInt32BE(checksum[0], FIELDS.checksum);
    bytes.writeUInt32BE(checksum[1], FIELDS.checksum + 4);
    bytes.writeUInt32BE(crc32(bytes.subarray(0, FIELDS.crc)), FIELDS.crc);
    try {
      writeSync(this.#mark, bytes, 0, MARK_BYTES, 0);
    } catch {
      // What the mark said before is still true.
    }
  }
}

function isPlainFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

import { endianness } from 'node:os';
import {
  FORMAT_VERSION,
  FRAME,
  FRAME_HEADER_BYTES,
  HEADER,
  LOG_HEADER_BYTES,
  LogWords,
  MAGIC,
  pairAt,
  samePair,
  setPair,
  type WordPair,
} from './log-format.ts';
import type { LogMark } from './log-mark.ts';
import { mendFrame, mendHeader } from './mend-bits.ts';

/** What is known of a log: all that was committed counts, or some of it is damaged or gone. */
export type LogFinding =
  | { state: 'whole' }
  /**
   * `bytes` is the log as it was written, but for `damagedFrames`, which are as they were found; undefined when SQLite
   * could make nothing of them.
   */
  | { state: 'damaged'; bytes: Uint8Array | undefined; commits: number; damagedFrames: number }
  /** There was a log, and there is none any more. */
  | { state: 'gone' };

/** Look through a log. One that is damaged is mended in the bytes that were given. */
export function examineLog(bytes: Uint8Array, mark: LogMark | undefined, pageBytes: number): LogFinding {
  if (isBlank(bytes)) return { state: mark ? 'gone' : 'whole' };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const asWritten = new LogWords(view, view.getUint32(HEADER.magic) === MAGIC, pageBytes);
  const hasGoodHeader = samePair(asWritten.headerChecksum(), pairAt(view, HEADER.checksum));
  const log = hasGoodHeader ? asWritten : new LogWords(view, endianness() === 'LE', pageBytes);
  const salts = hasGoodHeader || log.capacity === 0 ? pairAt(view, HEADER.salts) : frameSalts(log, 0);
  // A mark of an earlier filling of the log says nothing of this one.
  const marked = mark && samePair(mark.salts, salts) ? Math.min(mark.frames, log.capacity) : 0;
  const valid = hasGoodHeader ? validFrames(log, salts) : 0;
  const end = Math.max(marked, valid, followedFrames(log, salts, valid));
  if (end === valid) return { state: 'whole' };
  if (!hasGoodHeader && !mendHeader(log)) writeHeader(log, salts);
  const damaged = mendFrames(log, salts, end);
  const commits = countCommits(log, salts, valid, end);
  const isReadable = damaged.every((index) => canBePage(log, index, damaged, end));
  if (isReadable && damaged.length > 0) seal(log, salts, end);
  const mended = isReadable ? bytes.subarray(0, log.frameAt(end)) : undefined;
  return { state: 'damaged', bytes: mended, commits, damagedFrames: damaged.length };
}

/** A log that was given its length and not written to, or not even that. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.length < LOG_HEADER_BYTES || bytes.subarray(0, LOG_HEADER_BYTES).every((byte) => byte === 0);
}

function frameSalts(log: LogWords, index: number): WordPair {
  return pairAt(log.view, log.frameAt(index) + FRAME.salts);
}

function frameChecksum(log: LogWords, index: number): WordPair {
  return pairAt(log.view, log.frameAt(index) + FRAME.checksum);
}

function commitSize(log: LogWords, index: number): number {
  return log.view.getUint32(log.frameAt(index) + FRAME.commitSize);
}

/** How many frames from the start SQLite takes. */
function validFrames(log: LogWords, salts: WordPair): number {
  let committed = 0;
  let before = pairAt(log.view, HEADER.checksum);
  for (let index = 0; index < log.capacity; index += 1) {
    if (!samePair(frameSalts(log, index), salts)) break;
    const sum = log.frameChecksum(index, before);
    if (!samePair(sum, frameChecksum(log, index))) break;
    if (commitSize(log, index) !== 0) committed = index + 1;
    before = sum;
  }
  return committed;
}

/**
 * How many frames count although no mark says so. A commit is on the disk before the next one is begun: behind the
 * valid frames there may be one that was under way when the machine stopped, but not two.
 */
function followedFrames(log: LogWords, salts: WordPair, valid: number): number {
  const ends: number[] = [];
  for (let index = valid; index < log.capacity; index += 1)
    if (commitSize(log, index) !== 0 && samePair(frameSalts(log, index), salts)) ends.push(index + 1);
  const last = ends.at(-1) ?? 0;
  const previous = ends.at(-2) ?? 0;
  return previous > 0 && isChained(log, previous, last) ? last : previous;
}

/** Whether each of these frames goes on from the one before it. */
function isChained(log: LogWords, from: number, to: number): boolean {
  for (let index = from; index < to; index += 1)
    if (!samePair(log.frameChecksum(index, frameChecksum(log, index - 1)), frameChecksum(log, index)))
      return false;
  return true;
}

/** Put right what can be. Gives the frames that are not what was written. */
function mendFrames(log: LogWords, salts: WordPair, end: number): number[] {
  const damaged: number[] = [];
  let before = pairAt(log.view, HEADER.checksum);
  for (let index = 0; index < end; index += 1) {
    const after = index + 1 < end ? frameChecksum(log, index + 1) : undefined;
    if (!mendFrame(log, { index, before, after, salts })) damaged.push(index);
    // Frames behind a damaged one are judged by what it says of itself.
    before = frameChecksum(log, index);
  }
  return damaged;
}

/** Whether a damaged frame can be used all the same: it says which page it is, and the sound ones know of such a page. */
function canBePage(log: LogWords, index: number, damaged: readonly number[], end: number): boolean {
  let pages = 0;
  for (let other = 0; other < end; other += 1)
    if (!damaged.includes(other)) pages = Math.max(pages, commitSize(log, other), pageOf(log, other));
  return pageOf(log, index) >= 1 && pageOf(log, index) <= pages && commitSize(log, index) <= pages;
}

/** Make every frame one that SQLite takes. */
function seal(log: LogWords, salts: WordPair, end: number): void {
  let before = pairAt(log.view, HEADER.checksum);
  for (let index = 0; index < end; index += 1) {
    before = log.frameChecksum(index, before);
    setPair(log.view, log.frameAt(index) + FRAME.salts, salts);
    setPair(log.view, log.frameAt(index) + FRAME.checksum, before);
  }
}

function pageOf(log: LogWords, index: number): number {
  return log.view.getUint32(log.frameAt(index) + FRAME.page);
}

function writeHeader(log: LogWords, salts: WordPair): void {
  log.view.setUint32(HEADER.magic, log.isLittleEndian ? MAGIC : MAGIC + 1);
  log.view.setUint32(HEADER.version, FORMAT_VERSION);
  log.view.setUint32(HEADER.pageSize, log.frameBytes - FRAME_HEADER_BYTES);
  setPair(log.view, HEADER.salts, salts);
  setPair(log.view, HEADER.checksum, log.headerChecksum());
}

function countCommits(log: LogWords, salts: WordPair, from: number, end: number): number {
  let commits = 0;
  for (let index = from; index < end; index += 1)
    if (commitSize(log, index) !== 0 && samePair(frameSalts(log, index), salts)) commits += 1;
  return commits;
}

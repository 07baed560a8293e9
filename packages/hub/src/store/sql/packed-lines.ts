import { LIMITS } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import { type Append } from '../record.ts';
import type { LineSpend } from '../spend.ts';
import { StoreLimitError } from '../store-errors.ts';
import { encodeAuthor } from './packed-window.ts';
import { Run } from './run.ts';

/** A line that is longer becomes a run where it is: it is not copied once more. */
const LONG_BYTES = 1024 * 1024;

/** Lines in memory of their own: what comes in may be small views of large chunks. */
export interface PackedAppend {
  session: string;
  author: Author;
  bytes: Buffer<ArrayBuffer>;
  /** Where the first line begins: before a long one there is room for what a run has around it. */
  start: number;
  ends: number[];
  times: number[];
  /** NaN for a line without a number. */
  numbers: number[];
  position?: LinkPosition;
  answers?: string | undefined;
  /** What lines have cost, by their places. */
  spends: [number, LineSpend][];
}

/** Raises `STORE_LIMIT` for a line that is too long. */
export function packAppend({ session, author, lines, position, answers }: Append): PackedAppend {
  let size = 0;
  for (const { bytes } of lines) {
    if (bytes.length > LIMITS.lineBytes.most) {
      throw new StoreLimitError(`A line of ${bytes.length} bytes is longer than ${LIMITS.lineBytes.most}`);
    }
    size += bytes.length;
  }
  const now = Date.now();
  const isLong = (lines[0]?.bytes.length ?? 0) > LONG_BYTES;
  const start = isLong ? Run.headBytes(encodeAuthor(author)) : 0;
  const packed: PackedAppend = {
    session,
    author,
    answers,
    // Of its own: a piece of shared memory would travel with all that is around it.
    bytes: Buffer.allocUnsafeSlow(start + size),
    start,
    ends: [],
    times: [],
    numbers: [],
    spends: [],
  };
  let end = start;
  for (const { bytes, time, number, spend } of lines) {
    if (spend) packed.spends.push([packed.ends.length, spend]);
    packed.bytes.set(bytes, end);
    end += bytes.length;
    packed.ends.push(end);
    packed.times.push(time ?? now);
    packed.numbers.push(number ?? Number.NaN);
  }
  if (position) packed.position = position;
  return packed;
}

/** What need not be copied to another thread: memory that holds these lines and nothing else. */
export function transferOf({ bytes }: PackedAppend): ArrayBuffer[] {
  return bytes.length === bytes.buffer.byteLength ? [bytes.buffer] : [];
}

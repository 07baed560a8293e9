import { LIMITS } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import { type Append } from '../record.ts';
import { StoreLimitError } from '../store-errors.ts';

/** Lines in memory of their own: what comes in may be small views of large chunks. */
export interface PackedAppend {
  session: string;
  author: Author;
  bytes: Buffer<ArrayBuffer>;
  ends: number[];
  times: number[];
  /** NaN for a line without a number. */
  numbers: number[];
  position?: LinkPosition;
}

/** Raises `STORE_LIMIT` for a line that is too long. */
export function packAppend({ session, author, lines, position }: Append): PackedAppend {
  let size = 0;
  for (const { bytes } of lines) {
    if (bytes.length > LIMITS.lineBytes.most) {
      throw new StoreLimitError(`A line of ${bytes.length} bytes is longer than ${LIMITS.lineBytes.most}`);
    }
    size += bytes.length;
  }
  const now = Date.now();
  const packed: PackedAppend = {
    session,
    author,
    // Of its own: a piece of shared memory would travel with all that is around it.
    bytes: Buffer.allocUnsafeSlow(size),
    ends: [],
    times: [],
    numbers: [],
  };
  let end = 0;
  for (const { bytes, time, number } of lines) {
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

import {
  FRAME,
  HEADER,
  LOG_HEADER_BYTES,
  type LogWords,
  pairAt,
  samePair,
  setPair,
  type WordPair,
} from './log-format.ts';

const BITS = 32;

/** Put the header of a log right if one bit of it is wrong. */
export function mendHeader(log: LogWords): boolean {
  const isRight = (): boolean => samePair(log.headerChecksum(), pairAt(log.view, HEADER.checksum));
  if (isRight()) return true;
  for (let bit = 0; bit < LOG_HEADER_BYTES * 8; bit += 1) {
    flip(log.view, bit);
    if (isRight()) return true;
    flip(log.view, bit);
  }
  return false;
}

/** A frame, with the checksum of the one before it and of the one behind it, where there is one. */
export interface ChainedFrame {
  index: number;
  before: WordPair;
  after: WordPair | undefined;
  salts: WordPair;
}

/** Put a frame right if one bit of it is wrong and the checksums say which one. False when it stays as it is. */
export function mendFrame(log: LogWords, { index, before, after, salts }: ChainedFrame): boolean {
  const at = log.frameAt(index);
  const stored = pairAt(log.view, at + FRAME.checksum);
  const actual = log.frameChecksum(index, before);
  if (samePair(stored, actual)) {
    setPair(log.view, at + FRAME.salts, salts);
    return true;
  }
  // The next frame goes on from what the checksum was.
  if (after && samePair(log.frameChecksum(index + 1, actual), after)) {
    setPair(log.view, at + FRAME.checksum, actual);
    return true;
  }
  const word = wrongWord(log, index, [(actual[0] - stored[0]) | 0, (actual[1] - stored[1]) | 0]);
  if (word) log.view.setUint32(word.at, word.value, log.isLittleEndian);
  return word !== undefined;
}

/**
 * A checksum is a sum in which every word has a weight, so that one wrong bit changes it by a power of two times the
 * weight of its word. The weights are found by going through the words from the last one. High bits of several words may
 * change it alike: then nobody knows which one it was, and nothing is changed.
 */
function wrongWord(
  log: LogWords,
  index: number,
  [change, otherChange]: WordPair,
): { at: number; value: number } | undefined {
  let found: { at: number; value: number } | undefined;
  // What the two sums of the words so far are multiplied by in the words that follow, as [row][column].
  let [a, b, c, d] = [1, 0, 0, 1];
  let isSecond = true;
  for (const at of log.sealedWords(index)) {
    // The second word of a pair is part of the second sum only; the first one is part of both.
    const weight = isSecond ? b : (a + b) | 0;
    const otherWeight = isSecond ? d : (c + d) | 0;
    const value = log.view.getUint32(at, log.isLittleEndian);
    for (let bit = 0; bit < BITS; bit += 1) {
      const power = 1 << bit;
      const difference = (value & power) === 0 ? -power : power;
      if (Math.imul(weight, difference) !== change || Math.imul(otherWeight, difference) !== otherChange)
        continue;
      if (found) return undefined;
      found = { at, value: (value ^ power) >>> 0 };
    }
    if (!isSecond) [a, b, c, d] = [(a + b) | 0, (a + 2 * b) | 0, (c + d) | 0, (c + 2 * d) | 0];
    isSecond = !isSecond;
  }
  return found;
}

function flip(view: DataView, bit: number): void {
  const at = bit >> 3;
  view.setUint8(at, view.getUint8(at) ^ (1 << (bit & 7)));
}

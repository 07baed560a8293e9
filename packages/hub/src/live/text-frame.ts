const TEXT = 0x81;
const SHORT = 125;
const MAX_UINT16 = 0xffff;

/** A WebSocket text frame of a server, made once for all who get it. */
export function textFrame(payload: Uint8Array): Buffer {
  const { length } = payload;
  const header = length <= SHORT ? 2 : length <= MAX_UINT16 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = TEXT;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = SHORT + 1;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = SHORT + 2;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(payload, header);
  return frame;
}

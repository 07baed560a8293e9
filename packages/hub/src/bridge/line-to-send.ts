import { encodeBridgeReport, type WireLine } from '@signalbox/protocol';

/** How much of a line is quoted. */
export const QUOTED_CHARS = 64 * 1024;

const CARRIAGE_RETURN = 0x0d;

/**
 * An agent's line as it travels: untouched, unless it would be taken for the bridge's own words or would not
 * arrive whole. Such a line is quoted in a report, so that it can be seen and means nothing.
 */
export function lineToSend(line: WireLine): Uint8Array {
  const bytes = line.bytes();
  const isHarmless = line.head().type !== 'bridge' && bytes[bytes.length - 1] !== CARRIAGE_RETURN;
  if (isHarmless) return bytes;
  const quoted = line.text().slice(0, QUOTED_CHARS);
  return Buffer.from(encodeBridgeReport({ type: 'bridge', subtype: 'quoted', line: quoted }));
}

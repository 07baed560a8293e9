export const BEL = 0x07;
export const CAN = 0x18;
export const SUB = 0x1a;
export const ESC = 0x1b;

/** The first byte of a C1 control in UTF-8. The second is what follows ESC, and {@link C1_OFFSET}. */
export const C1_LEAD = 0xc2;
export const C1_OFFSET = 0x40;

/** What begins a longer sequence, after ESC: CSI, OSC, and DCS, SOS, PM and APC, which end alike. */
export const OPENERS: ReadonlyMap<number, 'csi' | 'osc' | 'string'> = new Map([
  [0x5b, 'csi'],
  [0x5d, 'osc'],
  [0x50, 'string'],
  [0x58, 'string'],
  [0x5e, 'string'],
  [0x5f, 'string'],
]);

/** True if this byte ends the sequence after ESC that begins with none of {@link OPENERS}. */
export function endsEscape(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x7e;
}

/** True if this byte is the last one after `ESC [`. */
export function endsCsi(byte: number): boolean {
  return byte >= 0x40 && byte <= 0x7e;
}

/** How many bytes follow one that begins a character of UTF-8; none where it begins none, or is one. */
export function bytesAfter(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
}

/** True if a character that was begun can go on with this byte. */
export function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}

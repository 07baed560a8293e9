import { encode } from 'uqr';

/** Light modules around the code, without which cameras do not find it. */
const BORDER = 2;

// Two modules a character: the upper and the lower half.
const HALVES = [' ', '▄', '▀', '█'];

// Black on white, whatever the colours of the terminal are: not every camera reads it the other way round.
const BLACK_ON_WHITE = '\x1b[38;5;16;48;5;231m';
const RESET = '\x1b[0m';

/** Addresses that lead to whoever opens them. */
const LOOPBACK = /^(?:127\.|localhost$|\[::1\]$)/;

/** Whether another machine could open this. */
export function isReachable(url: string): boolean {
  return !LOOPBACK.test(new URL(url).hostname);
}

/** A link for a camera, below the link in words; nothing where nobody could see it or it leads nowhere. */
export function qrCode(url: string, out: NodeJS.WriteStream = process.stdout): string {
  if (!out.isTTY || !isReachable(url)) return '';
  const { data, size } = encode(url, { ecc: 'L', border: BORDER });
  if (size > out.columns) return `(A terminal of ${size} columns has room for a QR code of this link.)\n`;
  const rows = Array.from({ length: Math.ceil(size / 2) }, (_, at) => {
    const [upper = [], lower = []] = [data[2 * at], data[2 * at + 1]];
    const cells = upper.map((isDark, column) => HALVES[(isDark ? 2 : 0) + (lower[column] ? 1 : 0)]);
    return `${BLACK_ON_WHITE}${cells.join('')}${RESET}\n`;
  });
  return `\n${rows.join('')}\n`;
}

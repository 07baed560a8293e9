import jsQR from 'jsqr';

const MODULE_PIXELS = 4;
const QUIET = 4;

/** What a camera would read from a screen that shows a QR code in half blocks. */
export function readQrCode(screen: string): string | undefined {
  const rows = screen.split('\n');
  const isDrawn = (row: string): boolean => /^[ ▀▄█]*[▀▄█]{3}[ ▀▄█]*$/.test(row);
  const drawn = rows.slice(rows.findIndex(isDrawn), rows.findLastIndex(isDrawn) + 1);
  const halves = drawn.flatMap((row) => [
    Array.from(row, (character) => '▀█'.includes(character)),
    Array.from(row, (character) => '▄█'.includes(character)),
  ]);
  const columns = Math.max(...halves.map((row) => row.length));
  const width = (columns + 2 * QUIET) * MODULE_PIXELS;
  const height = (halves.length + 2 * QUIET) * MODULE_PIXELS;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isDark = halves[Math.floor(y / MODULE_PIXELS) - QUIET]?.[Math.floor(x / MODULE_PIXELS) - QUIET];
      if (isDark) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  return jsQR(pixels, width, height)?.data;
}

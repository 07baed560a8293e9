import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside the executables, or where a build of this checkout puts it. */
const PLACES = ['../console', '../../../dist/console'];

/** Where the built console is; nothing before the first build. */
export function consoleFolder(): { console?: string } {
  const folder = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  return folder === undefined ? {} : { console: folder };
}

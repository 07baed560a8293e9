import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const CONSOLE = new URL('../../../dist/console/', import.meta.url);

/** What a phone on a slow network waits for. */
const MAX_GZIPPED_BYTES = 200_000;

describe.runIf(existsSync(CONSOLE))('the first load of the page', () => {
  it('[CO2045] has no more than 200 kB of scripts, gzipped; the rest comes when it is used', () => {
    const page = readFileSync(new URL('index.html', CONSOLE), 'utf8');
    const scripts = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.map((path) => gzipSync(readFileSync(new URL(path, CONSOLE))).length);
    expect(bytes.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_GZIPPED_BYTES);
  });

  it('[CO2045] has neither the terminal, the changes, the palette, the grammars nor the larger dialogs among them', () => {
    const page = readFileSync(new URL('index.html', CONSOLE), 'utf8');
    expect(page).not.toMatch(
      /terminal-view|changes-panel|palette-|highlight\.worker|new-session-dialog|-loop-dialog/,
    );
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { startTestHub, temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { startHub } from '../../src/hub.ts';
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';

const SCRIPT = 'console.log("hello")';

/** A console with a page, a script and a file that is none of anybody's business beside it. */
function consoleFolder(): string {
  const outer = temporaryFolder();
  const folder = join(outer, 'console');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(outer, 'secret.js'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>The page</title>');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'app-1a2b.js.br'), brotliCompressSync(SCRIPT));
  return folder;
}

/** Ask for a path as it is: `fetch` would tidy it up first. */
function statusOf(url: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
  });
}

describe('the console on the hub', () => {
  it('[CO20] is there without a token, under a policy that lets it run its own scripts only', async () => {
    const { hub } = await startTestHub({ console: consoleFolder() });
    const page = await fetch(hub.url);
    expect(await page.text()).toContain('The page');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(`${hub.url}/api/sessions`)).status).toBe(401);
  });

  it('[CO21] is the same page for every session, and a problem for what is not there', async () => {
    const { hub } = await startTestHub({ console: consoleFolder() });
    expect(await (await fetch(`${hub.url}/sessions/abc`)).text()).toContain('The page');
    for (const path of ['/sessions/a/b', '/assets/other.js', '/api/nothing', '/favicon.ico']) {
      const answer = await fetch(hub.url + path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    }
  });

  it('[CO21] leads nowhere else', async () => {
    const { hub } = await startTestHub({ console: consoleFolder() });
    const paths = [
      '/../secret.js',
      '/assets/../../secret.js',
      '/%2e%2e/secret.js',
      '/..%2fsecret.js',
      '//secret.js',
    ];
    for (const path of paths) expect([path, await statusOf(hub.url, path)]).toEqual([path, 404]);
  });

  it('[CO22] is cached for good where the name says the content, and asked for again where not', async () => {
    const { hub } = await startTestHub({ console: consoleFolder() });
    const accepting = (encoding: string): RequestInit => ({ headers: { 'accept-encoding': encoding } });
    const script = await fetch(`${hub.url}/assets/app-1a2b.js`, accepting('gzip, deflate, br'));
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(script.headers.get('content-encoding')).toBe('br');
    expect(await script.text()).toBe(SCRIPT);
    const plain = await fetch(`${hub.url}/assets/app-1a2b.js`, accepting('identity'));
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(SCRIPT);
    expect((await fetch(hub.url)).headers.get('cache-control')).toBe('no-cache');
    expect((await fetch(`${hub.url}/healthz`)).headers.get('cache-control')).toBe('no-store');
  });

  it('[CO23] stays what it was when the hub started, and a folder without one is refused', async () => {
    const folder = consoleFolder();
    const { hub } = await startTestHub({ console: folder });
    writeFileSync(join(folder, 'index.html'), 'another page');
    expect(await (await fetch(hub.url)).text()).toContain('The page');
    const store = await openMemoryStore();
    await expect(startHub({ store, console: temporaryFolder() })).rejects.toMatchObject({
      code: 'CONSOLE_NOT_FOUND',
    });
    await store.close();
  });
});

import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_PAGE_BYTES, MAX_REDIRECTS } from '../../src/tools/web/fetch-page.ts';
import { CACHE_MS, MAX_CACHED_CHARS, PageCache } from '../../src/tools/web/page-cache.ts';
import { MAX_ASKED_CHARS, webFetchTool, webFetchToolOn } from '../../src/tools/web-fetch.ts';
import { sideModel } from './side-model.ts';
import { openBench, type ToolBench } from './tool-bench.ts';
import { openSite } from './web-site.ts';

const HTML = `<html><head><title>Trains</title><style>p{}</style></head><body><h1>Hello</h1>
<script>steal()</script><p>See <a href="/more">more</a> and <code>x</code>.</p></body></html>`;

async function textAt(bench: ToolBench, url: string): Promise<string> {
  const { content } = await bench.run(webFetchTool, { url, prompt: '' });
  return typeof content === 'string' ? content : '';
}

describe('WebFetch', () => {
  it('[TL41] has the small model read the page, as Markdown, and tells what came of it', async () => {
    const bench = await openBench();
    const { model, askModel } = await sideModel({
      name: 'reader',
      turns: [],
      fallback: { say: ['It greets.'] },
    });
    const site = await openSite((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(HTML);
    });
    Object.assign(bench.session, { askModel });
    const url = `${site.url}/page#part`;
    const result = await bench.run(webFetchTool, { url, prompt: 'What does it do?' });
    expect(result).toEqual({
      content: 'It greets.',
      structured: {
        bytes: Buffer.byteLength(HTML),
        code: 200,
        codeText: 'OK',
        result: 'It greets.',
        durationMs: expect.any(Number),
        url,
      },
    });
    const asked = JSON.stringify(model.requests[0]?.body);
    expect(asked).toContain('# Hello\\n\\nSee [more](/more) and `x`.');
    expect(asked).toContain('What does it do?');
    expect(asked).toContain('"model":"small"');
    expect(asked).not.toContain('steal');
  });

  it('[TL41] returns the page itself, cut where it is long, where there is no model to ask', async () => {
    const bench = await openBench();
    const site = await openSite(({ url }, response) => {
      response.setHeader('content-type', url === '/json' ? 'application/json' : 'text/plain; charset=latin1');
      response.end(url === '/json' ? '{"a": 1}' : Buffer.from(`é${'x'.repeat(MAX_ASKED_CHARS)}`, 'latin1'));
    });
    const read = (path: string) => textAt(bench, site.url + path);
    expect(await read('/json')).toBe('{"a": 1}');
    const long = await read('/long');
    expect([long[0], long.endsWith('(The page goes on; this is its beginning.)')]).toEqual(['é', true]);
  });

  it('[TL42] makes http https for every host but this machine', async () => {
    const bench = await openBench();
    const firstBytes: number[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        firstBytes.push(data[0] ?? 0);
        socket.destroy();
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port }: { port: number } = Object(server.address());
    for (const host of ['127.0.0.1', 'localhost', 'app.localhost', '[::ffff:127.0.0.1]']) {
      const fetching = bench.run(webFetchTool, { url: `http://${host}:${port}/`, prompt: '' });
      await expect(fetching).rejects.toThrow('could not be fetched');
    }
    // 22 begins a TLS handshake; the G of GET is 71.
    expect(firstBytes).toEqual([71, 71, 71, 22]);
  });

  it('[TL42] follows a redirect on the same host, and tells of one to another', async () => {
    const bench = await openBench();
    const other = await openSite((_request, response) => response.end('elsewhere'));
    const site = await openSite(({ url = '' }, response) => {
      if (url === '/start') response.writeHead(301, { location: '/next' }).end();
      else if (url === '/away') response.writeHead(302, { location: `${other.url}/there` }).end();
      else if (url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else if (url === '/round') response.writeHead(307, { location: '/round' }).end();
      else response.setHeader('content-type', 'text/plain').end(`at ${url}`);
    });
    const run = (path: string) => bench.run(webFetchTool, { url: site.url + path, prompt: '' });
    expect(await run('/start')).toMatchObject({ content: 'at /next', structured: { code: 200 } });
    expect(await run('/away')).toMatchObject({
      content: expect.stringContaining(`has moved to another host: ${other.url}/there (302 Found)`),
      structured: { code: 302, codeText: 'Found', bytes: 0, url: `${site.url}/away` },
    });
    expect(other.asked).toEqual([]);
    await expect(run('/file')).rejects.toThrow('http and https addresses, not file:');
    site.asked.length = 0;
    await expect(run('/round')).rejects.toThrow('redirects more than');
    expect(site.asked).toHaveLength(MAX_REDIRECTS + 1);
  });

  it('[TL43] refuses what is too large, also when it is packed small', async () => {
    const bench = await openBench();
    const site = await openSite(({ url }, response) => {
      response.setHeader('content-type', 'text/plain');
      if (url === '/packed') {
        response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(MAX_PAGE_BYTES + 1, 'x')));
      } else if (url === '/small') response.setHeader('content-encoding', 'gzip').end(gzipSync('unpacked'));
      else response.end(Buffer.alloc(MAX_PAGE_BYTES + 1, 'x'));
    });
    const run = (path: string) => bench.run(webFetchTool, { url: site.url + path, prompt: '' });
    await expect(run('/plain')).rejects.toThrow(`sent more than ${MAX_PAGE_BYTES} bytes`);
    await expect(run('/packed')).rejects.toThrow(`sent more than ${MAX_PAGE_BYTES} bytes`);
    expect(await run('/small')).toMatchObject({ content: 'unpacked', structured: { bytes: 8 } });
  });

  it('[TL43] refuses types it cannot read, failures, and addresses that are none', async () => {
    const bench = await openBench();
    const site = await openSite(({ url }, response) => {
      if (url === '/missing') response.writeHead(404).end('no');
      else if (url === '/bytes') response.end(Buffer.from([1, 0, 2]));
      else response.setHeader('content-type', 'image/png').end('x');
    });
    const run = (url: string) => bench.run(webFetchTool, { url, prompt: '' });
    await expect(run(`${site.url}/image`)).rejects.toThrow('The page is image/png');
    await expect(run(`${site.url}/bytes`)).rejects.toThrow('The page is binary data');
    await expect(run(`${site.url}/missing`)).rejects.toThrow('answered 404 Not Found');
    await expect(run('example.com')).rejects.toThrow('is no URL');
    await expect(run('ftp://example.com')).rejects.toThrow('not ftp:');
    await expect(run('https://me:secret@example.com')).rejects.toThrow('user name or password');
    await expect(run(`https://example.com/${'x'.repeat(3000)}`)).rejects.toThrow('A URL may have');
  });

  it('[TL43] gives up a server that says nothing, and ends with an interrupt', async () => {
    const bench = await openBench();
    const site = await openSite(({ url }, response) => {
      if (url === '/half') response.write('half');
    });
    const quick = webFetchToolOn({ timeoutMs: 100 });
    await expect(bench.run(quick, { url: site.url, prompt: '' })).rejects.toThrow('took more than 0.1 s');
    await expect(bench.run(quick, { url: `${site.url}/half`, prompt: '' })).rejects.toThrow('took more than');
    const lost = webFetchToolOn({ timeoutMs: 100, lookup: () => new Promise(() => {}) });
    await expect(bench.run(lost, { url: 'https://a.test', prompt: '' })).rejects.toThrow('took more than');
    const interrupt = new AbortController();
    const fetching = bench.run(webFetchTool, { url: `${site.url}/half`, prompt: '' }, interrupt.signal);
    await expect.poll(() => site.asked.length).toBe(3);
    interrupt.abort(new Error('stopped by a person'));
    await expect(fetching).rejects.toThrow('stopped by a person');
  });

  it('[TL44] remembers a page for 15 minutes, and no more than fits', async () => {
    const bench = await openBench();
    const site = await openSite((_request, response) => {
      response.setHeader('content-type', 'text/plain').end('x');
    });
    const clock = { now: 0 };
    const tool = webFetchToolOn({ cache: new PageCache(() => clock.now) });
    const fetchAgain = async () => {
      await bench.run(tool, { url: `${site.url}/a`, prompt: '' });
      return site.asked.length;
    };
    expect([await fetchAgain(), await fetchAgain()]).toEqual([1, 1]);
    clock.now += CACHE_MS - 1;
    expect(await fetchAgain()).toBe(1);
    clock.now += 1;
    expect(await fetchAgain()).toBe(2);
    const cache = new PageCache(() => clock.now);
    const page = { url: '', code: 200, codeText: 'OK', bytes: 0, text: 'x'.repeat(MAX_CACHED_CHARS / 2) };
    for (const url of ['a', 'b', 'b', 'c']) cache.add(url, page);
    expect(['a', 'b', 'c'].map((url) => cache.get(url) !== undefined)).toEqual([false, true, true]);
  });

  it('[TL47] makes text of any page, however it is nested', async () => {
    const bench = await openBench();
    const pages: Record<string, string> = {
      '/deep': `${'<div>'.repeat(60_000)}core`,
      '/bold': `${'<b><i>'.repeat(30_000)}core`,
      '/open': `<html>core${'<'.repeat(3_000_000)}`,
      '/long': `<html><script>hidden</script><p>core</p>${'<i>.</i>\n'.repeat(400_000)}`,
    };
    const site = await openSite(({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html').end(pages[url]);
    });
    for (const path of Object.keys(pages)) {
      const text = await textAt(bench, site.url + path);
      expect(text, path).toContain('core');
      expect(text, path).not.toContain('hidden');
    }
  });
});

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { WebSocketTransport } from '@signalbox/transport';
import type { Page } from 'playwright-core';
import { workOf } from './console-work.ts';
import { median, type Row } from './measure.ts';

const CONSOLE = new URL('../dist/console/', import.meta.url);

const MAX_GZIPPED_KB = 200;

const PAINTS = 7;
const MAX_PAINT_RATIO = 2;

/** An hour of an agent that writes and works: a turn every 20 seconds, of so many tokens. */
const TURNS = 180;
const TOKENS_A_TURN = 400;
const MAX_GROWTH_MB = 50;

const KEYS = 60;
const KEY_MS = 20;
const MAX_KEY_MS = 16;

/** What a page waits for before it does anything. */
export function firstLoadRow(): Row {
  const page = readFileSync(fileURLToPath(new URL('index.html', CONSOLE)), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const bytes = scripts.map((path) => gzipSync(readFileSync(fileURLToPath(new URL(path, CONSOLE)))).length);
  const kb = bytes.reduce((sum, count) => sum + count, 0) / 1000;
  return {
    what: 'scripts of the first load, gzipped',
    baseline: '–',
    ours: `${kb.toFixed(0)} kB`,
    ratio: '–',
    target: `≤ ${MAX_GZIPPED_KB} kB`,
    met: kb <= MAX_GZIPPED_KB,
  };
}

/** Wait until an expression is true on the page, whose policy lets it evaluate none itself. */
async function isTrue(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate<boolean>(expression))) await page.waitForTimeout(20);
}

/** Milliseconds from the start of the navigation until something of the selector is painted. */
async function paintOf(page: Page, address: string, selector: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  await isTrue(page, 'window.painted !== undefined');
  const painted: Record<string, number> = await page.evaluate('window.painted');
  return painted[selector] ?? Number.NaN;
}

/** A session that the browser has kept, and one with nothing in it. */
export async function paintRow(page: Page, url: string, kept: string, empty: string): Promise<Row> {
  const [row, hint] = ['.transcript .row', '.transcript .hint'];
  await page.addInitScript(`
    const look = () => {
      for (const selector of ${JSON.stringify([row, hint])})
        if (document.querySelector(selector)) {
          const painted = () => (window.painted ??= { [selector]: performance.now() });
          return requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = painted; port2.postMessage(0); });
        }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  `);
  // It is kept a moment after it was read.
  await paintOf(page, `${url}/sessions/${kept}`, row);
  await page.waitForTimeout(3000);
  const [long, none]: [number[], number[]] = [[], []];
  while (long.length < PAINTS) {
    long.push(await paintOf(page, `${url}/sessions/${kept}`, row));
    none.push(await paintOf(page, `${url}/sessions/${empty}`, hint));
  }
  const ratio = median(long) / median(none);
  return {
    what: 'first paint of a session of 10,000 entries that the browser kept, beside one with none',
    baseline: `${median(none).toFixed(0)} ms`,
    ours: `${median(long).toFixed(0)} ms`,
    ratio: `${ratio.toFixed(2)} ×`,
    target: `≤ ${MAX_PAINT_RATIO} ×`,
    met: ratio <= MAX_PAINT_RATIO,
  };
}

async function heapMb(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  await cdp.detach();
  return usedSize / 1e6;
}

/** What a page holds after an hour's worth of an agent at work, as fast as it goes. */
export async function memoryRow(page: Page, url: string, token: string, session: string): Promise<Row> {
  const transport = new WebSocketTransport(new URL(`${url.replace('http', 'ws')}/agent/${session}`), {
    env: {},
    ingressToken: token,
    lossless: true,
  });
  await transport.connect();
  const say = (message: object): Promise<void> =>
    transport.send(JSON.stringify({ parent_tool_use_id: null, session_id: session, ...message }));
  const turn = async (number: number): Promise<void> => {
    const id = `hour-${number}`;
    const words = Array.from({ length: TOKENS_A_TURN }, (_, at) => `word${number}-${at} `);
    const event = (inner: object): Promise<void> => say({ type: 'stream_event', event: inner });
    await event({ type: 'message_start', message: { id } });
    await event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    for (const text of words)
      await event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
    await say({ type: 'assistant', message: { id, content: [{ type: 'text', text: words.join('') }] } });
    const use = {
      type: 'tool_use',
      id: `t-${id}`,
      name: 'Bash',
      input: { command: `npm test -- ${number}` },
    };
    await say({ type: 'assistant', message: { id: `${id}-b`, content: [use] } });
    const result = { type: 'tool_result', tool_use_id: use.id, content: 'ok\n'.repeat(200) };
    await say({ type: 'user', message: { role: 'user', content: [result] } });
    await say({
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 20_000,
      total_cost_usd: 1,
    });
    await page
      .getByText(`word${number}-${TOKENS_A_TURN - 1}`)
      .last()
      .waitFor();
  };
  await page.goto(`${url}/sessions/${session}`);
  await page.getByRole('log').waitFor();
  await turn(0);
  const before = await heapMb(page);
  for (let number = 1; number <= TURNS; number += 1) await turn(number);
  const after = await heapMb(page);
  await transport.close();
  const grown = after - before;
  return {
    what: `memory after an hour's worth of streaming (${TURNS} turns, ${(TURNS * TOKENS_A_TURN).toLocaleString('en')} tokens)`,
    baseline: `${before.toFixed(0)} MB before`,
    ours: `${after.toFixed(0)} MB`,
    ratio: `${grown >= 0 ? '+' : ''}${grown.toFixed(1)} MB`,
    target: `≤ ${MAX_GROWTH_MB} MB more`,
    met: grown <= MAX_GROWTH_MB,
  };
}

/** How much work of the page a key is, drawing included: in the box of a session, and in the search of the list. */
export async function typingRow(page: Page, address: string, sessions: number): Promise<Row> {
  await page.goto(address);
  await isTrue(page, `document.querySelectorAll('.list-row').length >= ${sessions}`);
  await page.evaluate(`{
    window.keys = [];
    document.addEventListener('keydown', () => {
      const start = performance.now();
      setTimeout(() => { document.body.offsetHeight; window.keys.push(performance.now() - start); });
    }, { capture: true });
  }`);
  const busy: number[] = [];
  const waits: number[] = [];
  for (const field of [page.getByLabel('Prompt', { exact: true }), page.locator('.search input').first()]) {
    await field.click();
    await page.evaluate('window.keys.length = 0');
    const work = await workOf(page, async () => {
      for (let key = 0; key < KEYS; key += 1) {
        await page.keyboard.press(key % 9 === 8 ? 'Backspace' : ('abcdefgh'[key % 9] ?? 'a'));
        // As fast as nobody types; each key is drawn before the next.
        await page.waitForTimeout(KEY_MS);
      }
    });
    busy.push(work / KEYS);
    waits.push(median(await page.evaluate<number[]>('window.keys')));
  }
  const worst = Math.max(...busy);
  return {
    what: `a key with ${sessions} sessions in the list: work of the page, in processor time (in the box ${busy[0]?.toFixed(1)} ms, in the search ${busy[1]?.toFixed(1)} ms; by the clock of this machine ${waits[0]?.toFixed(1)} and ${waits[1]?.toFixed(1)} ms)`,
    baseline: '–',
    ours: `${worst.toFixed(1)} ms`,
    ratio: '–',
    target: `≤ ${MAX_KEY_MS} ms`,
    met: worst <= MAX_KEY_MS,
  };
}

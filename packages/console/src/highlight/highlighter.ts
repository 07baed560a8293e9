import type { CodeLines, HighlightAnswer, HighlightRequest } from './highlight-message.ts';

/** Longer code stays as it is. */
export const MAX_HIGHLIGHTED_LENGTH = 50_000;

/** What takes longer stays as it is: some code keeps a grammar busy for ever. */
const MAX_MS = 20_000;

/** How many pieces of code are remembered: those of a few screens. */
const MAX_REMEMBERED = 200;

const remembered = new Map<string, CodeLines>();
const waiting = new Map<number, { key: string; resolve: (lines: CodeLines | undefined) => void }>();
let worker: Worker | undefined;
let lastId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What is known of this code already. */
export function highlightedBefore(code: string, grammar: string): CodeLines | undefined {
  return remembered.get(keyOf(code, grammar));
}

/** The colours of some code, found beside the page: a grammar may take a while. Undefined when it stays as it is. */
export function highlight(code: string, grammar: string): Promise<CodeLines | undefined> {
  if (code.length > MAX_HIGHLIGHTED_LENGTH) return Promise.resolve(undefined);
  const known = highlightedBefore(code, grammar);
  if (known) return Promise.resolve(known);
  worker ??= start();
  lastId += 1;
  const request: HighlightRequest = { id: lastId, code, grammar };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage(request);
  return new Promise((resolve) => {
    waiting.set(request.id, { key: keyOf(code, grammar), resolve });
    watch();
  });
}

function start(): Worker {
  const started = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
    const { key, resolve } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if (data.lines && key !== undefined) remember(key, data.lines);
    resolve?.(data.lines);
    watch();
  });
  started.addEventListener('error', giveUp);
  return started;
}

/** From each answer on there is as much time for the next one. */
function watch(): void {
  clearTimeout(timer);
  timer = waiting.size > 0 ? setTimeout(giveUp, MAX_MS) : undefined;
}

/** What waits stays as it is; another worker is started for what comes. */
function giveUp(): void {
  worker?.terminate();
  worker = undefined;
  for (const { resolve } of waiting.values()) resolve(undefined);
  waiting.clear();
}

function remember(key: string, lines: CodeLines): void {
  remembered.set(key, lines);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

function keyOf(code: string, grammar: string): string {
  return `${grammar}\n${code}`;
}

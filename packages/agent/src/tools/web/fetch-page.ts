import { isUrl, messageOf, timeLimit } from '@signalbox/protocol';
import { type HttpAnswer, httpGet } from '../../base/http-get.ts';
import { isLoopbackHost } from '../../base/private-network.ts';
import { ToolFailure } from '../../base/tool-failure.ts';
import { AGENT_VERSION } from '../../base/version.ts';
import { hostAddresses, type Lookup } from './host-addresses.ts';
import type { Page } from './page-cache.ts';
import { pageText } from './page-text.ts';

/** How large a page may be, how long it may take with all its redirects, and how many of those there may be. */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024;
export const FETCH_TIMEOUT_MS = 60_000;
export const MAX_REDIRECTS = 10;

/** Nobody types longer addresses; data is smuggled out in them. */
export const MAX_URL_CHARS = 2000;

const HEADERS = {
  accept: 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/*;q=0.8, */*;q=0.1',
  'user-agent': `signalbox-agent/${AGENT_VERSION}`,
};

/** A page, or the other host that it has moved to. */
export type Fetched = { page: Page } | { movedTo: URL; code: number; codeText: string };

/** The address to fetch: checked, and encrypted wherever it leaves this machine. Throws {@link ToolFailure}. */
export function fetchableUrl(text: string): URL {
  if (!isUrl(text)) throw new ToolFailure(`"${text}" is no URL. Give a full one: https://example.com/page.`);
  const url = new URL(text);
  if (text.length > MAX_URL_CHARS) throw new ToolFailure(`A URL may have ${MAX_URL_CHARS} characters.`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ToolFailure(`WebFetch takes http and https addresses, not ${url.protocol}`);
  }
  if (url.username || url.password)
    throw new ToolFailure('A URL with a user name or password is not fetched.');
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) url.protocol = 'https:';
  url.hash = '';
  return url;
}

/** How pages are reached, where it is not in the usual way. */
export interface FetchWays {
  readonly lookup?: Lookup;
  readonly timeoutMs?: number;
}

/** Fetch a page. Redirects are followed on its own host only. Throws {@link ToolFailure}. */
export async function fetchPage(
  start: URL,
  signal: AbortSignal,
  { lookup, timeoutMs = FETCH_TIMEOUT_MS }: FetchWays = {},
): Promise<Fetched> {
  const timeout = timeLimit(timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  const reach = <T>(url: URL, work: Promise<T>): Promise<T> =>
    unlessAborted(work, either).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ToolFailure) throw error;
      const why = timeout.aborted ? `it took more than ${timeoutMs / 1000} s` : messageOf(error);
      throw new ToolFailure(`${url.href} could not be fetched: ${why}`, error);
    });
  const addresses = await reach(start, hostAddresses(start, lookup));
  const ask = { headers: HEADERS, maxBytes: MAX_PAGE_BYTES, signal: either, addresses };
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await reach(url, httpGet(url, ask));
    if (!answer.location) return { page: await pageOf(url, answer) };
    const { code, codeText } = answer;
    const next = fetchableUrl(answer.location.href);
    if (next.origin !== start.origin) return { movedTo: next, code, codeText };
    url = next;
  }
  throw new ToolFailure(`${start.href} redirects more than ${MAX_REDIRECTS} times.`);
}

/** The system's resolver cannot be interrupted, but nobody has to wait for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

async function pageOf(url: URL, { code, codeText, type, body }: HttpAnswer): Promise<Page> {
  if (code < 200 || code >= 300) throw new ToolFailure(`${url.href} answered ${code} ${codeText}.`);
  return { url: url.href, code, codeText, bytes: body.length, text: await pageText(body, type) };
}

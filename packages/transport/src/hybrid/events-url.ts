import { SignalboxError } from '@signalbox/protocol';
import { shownUrl } from '../shown-url.ts';

/** A WebSocket URL that does not say where the events of its session go. */
export class HybridUrlError extends SignalboxError {
  constructor(url: URL) {
    super(
      'HYBRID_URL_INVALID',
      `Cannot tell where to post events from ${shownUrl(url)}. Expected ws://host:port/ws/<session>.`,
    );
  }
}

/** What a token is called in a URL. */
const TOKEN = 'token';

/** The token that a URL has for whoever dials it. */
export function tokenIn(url: URL): string | undefined {
  return url.searchParams.get(TOKEN) || undefined;
}

/**
 * Where the events of a session are posted: `wss://host/ws/<path>` → `https://host/session/<path>/events`. A token in it
 * stays behind: a POST has a header for it, and URLs end up in logs.
 */
export function eventsUrl(url: URL): URL {
  const { before, session } = /^(?<before>.*?)\/ws\/(?<session>.*[^/])\/*$/.exec(url.pathname)?.groups ?? {};
  if (before === undefined || session === undefined) throw new HybridUrlError(url);
  const target = new URL(url);
  target.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  target.pathname = `${before}/session/${session}/events`;
  target.hash = '';
  if (target.searchParams.has(TOKEN)) target.searchParams.delete(TOKEN);
  return target;
}

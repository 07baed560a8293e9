import { isUrl, SignalboxError } from '@signalbox/protocol';
import { HybridTransport, type HybridTransportOptions } from './hybrid/hybrid-transport.ts';
import { shownUrl } from './shown-url.ts';
import { WebSocketTransport } from './websocket/websocket-transport.ts';

/** There is no transport for this kind of URL. */
export class UnsupportedProtocolError extends SignalboxError {
  constructor(protocol: string) {
    super('UNSUPPORTED_PROTOCOL', `Unsupported protocol: ${protocol} Use a ws: or wss: URL.`);
  }
}

/** What should be a URL is none. */
export class UrlInvalidError extends SignalboxError {
  constructor(text: string) {
    super('URL_INVALID', `Not a URL: ${shownUrl(text)}. Expected ws://host:port/path.`);
  }
}

/**
 * The transport for a URL, not yet connected: WebSocket both ways, or, when the environment says
 * `CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2`, WebSocket in and HTTP out.
 */
export function createTransport(
  url: string | URL,
  options: HybridTransportOptions = {},
): WebSocketTransport | HybridTransport {
  const target = parseUrl(url);
  if (target.protocol !== 'ws:' && target.protocol !== 'wss:')
    throw new UnsupportedProtocolError(target.protocol);
  const { CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: hybrid } = options.env ?? process.env;
  return hybrid ? new HybridTransport(target, options) : new WebSocketTransport(target, options);
}

function parseUrl(url: string | URL): URL {
  if (url instanceof URL) return url;
  if (!isUrl(url)) throw new UrlInvalidError(url);
  return new URL(url);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchLike, Transport as McpTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isUrl, messageOf } from '@signalbox/protocol';
import { systemCode } from '../../base/tool-failure.ts';
import type { McpRemoteConfig } from '../mcp-config.ts';
import { McpLimitError, McpNeedsAuthError, McpServerFailedError } from '../mcp-errors.ts';
import { watchedBody } from './watched-body.ts';

/** How long a server may take to hear that a session is over. */
const LEAVE_MS = 500;

/** How servers say that a session is over: 404 by the protocol, 400 in practice. */
const LOST_SESSION = new Set([400, 404]);

/** Told when a server behind a URL is gone or refuses; what is done with it is up to the listener. */
export type OnFault = (fault: McpNeedsAuthError | McpServerFailedError) => void;

/** The library's transport to a server behind a URL, watched: it does not say by itself when a server is lost. */
export async function remoteTransport(config: McpRemoteConfig, onFault: OnFault): Promise<McpTransport> {
  if (!/^https?:/.test(config.url) || !isUrl(config.url))
    throw new McpServerFailedError('its "url" is no http or https address');
  const url = new URL(config.url);
  const options = {
    fetch: watchedFetch(config.type, onFault),
    requestInit: { headers: { ...config.headers } },
  };
  if (config.type === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    return new SSEClientTransport(url, options);
  }
  const { StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/sdk/client/streamableHttp.js'
  );
  const transport = new StreamableHTTPClientTransport(url, options);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    // Servers keep a session until they are told; one that is gone need not be.
    await Promise.race([
      transport.terminateSession().catch(() => {}),
      sleep(LEAVE_MS, undefined, { ref: false }),
    ]);
    await close();
  };
  return transport;
}

function watchedFetch(type: McpRemoteConfig['type'], onFault: OnFault): FetchLike {
  let streams = 0;
  return async (url, init) => {
    const isStream = (init?.method ?? 'GET') === 'GET';
    if (isStream) streams += 1;
    const lose = (why: string, cause?: unknown): void => {
      if (!init?.signal?.aborted) onFault(new McpServerFailedError(why, cause));
    };
    // An SSE session lives as long as its stream: a second one finds a server that does not know us.
    if (isStream && type === 'sse' && streams > 1) lose('it closed the connection');
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (error) {
      lose(`it cannot be reached: ${reasonOf(error)}`, error);
      throw error;
    }
    if (response.status === 401) onFault(new McpNeedsAuthError());
    else if (!isStream && LOST_SESSION.has(response.status))
      lose(`it does not know the address or the session (HTTP ${response.status})`);
    // A stream that waits for news is opened again by the library; an answer that breaks off never comes.
    return watchedBody(response, (error) => {
      if (!isStream) lose(`its answer broke off: ${reasonOf(error)}`, error);
    });
  };
}

/** Node says "fetch failed", and hides why in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof McpLimitError ? cause.message : (systemCode(cause) ?? messageOf(cause));
}

import { BaseAnthropic, type ClientOptions } from '@anthropic-ai/sdk/client';
import { APIError } from '@anthropic-ai/sdk/core/error';
import { type BetaRawMessageStreamEvent, Messages } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { isUrl, messageOf } from '@signalbox/protocol';
import { AGENT_VERSION } from '../base/version.ts';
import { type HttpLimits, httpFetch } from './http-fetch.ts';
import type { ModelRequest } from './model-client.ts';
import { failureOf, ModelError } from './model-error.ts';

/** The events of one reply, from the official client. Throws {@link ModelError}; an abort is thrown as it is. */
export async function* askMessages(
  request: ModelRequest,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
  onRequestId: (id: string) => void,
  limits?: HttpLimits,
): AsyncGenerator<BetaRawMessageStreamEvent> {
  try {
    const messages = new Messages(clientFor(env, limits));
    const { data, request_id: id } = await messages
      .create({ ...request, stream: true }, { signal })
      .withResponse();
    if (id) onRequestId(id);
    yield* data;
  } catch (error) {
    signal.throwIfAborted();
    throw asModelError(error);
  }
}

/** Only the part that an agent needs, `Messages`: all of the client would be most of the executable. */
function clientFor(env: NodeJS.ProcessEnv, limits?: HttpLimits): BaseAnthropic {
  const key = env.ANTHROPIC_API_KEY || null;
  return new BaseAnthropic({
    baseURL: baseUrl(env),
    // With neither it would look for credentials in the person's home.
    apiKey: key,
    authToken: key === null ? (env.ANTHROPIC_AUTH_TOKEN ?? '') : null,
    defaultHeaders: {
      'user-agent': `signalbox-agent/${AGENT_VERSION}`,
      // Where gateways look for a key, and where `claude` puts it; the client would send it as a token.
      ...(key !== null && { 'x-api-key': key, authorization: null }),
      ...remoteHeaders(env),
      ...customHeaders(env),
    },
    // Retries are ours: hosts are told about each.
    maxRetries: 0,
    // It would write to stdout, which is the host's.
    logLevel: 'off',
    openTelemetry: false,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ours returns what the client uses, and no more
    fetch: httpFetch(env, limits) as unknown as NonNullable<ClientOptions['fetch']>,
  });
}

/** Where a remote agent runs, as `claude` tells the API. */
function remoteHeaders(env: NodeJS.ProcessEnv): Record<string, string> {
  const { CLAUDE_CODE_CONTAINER_ID: container, CLAUDE_CODE_REMOTE_SESSION_ID: session } = env;
  return {
    ...(container ? { 'x-claude-remote-container-id': container } : {}),
    ...(session ? { 'x-claude-remote-session-id': session } : {}),
  };
}

function baseUrl({ ANTHROPIC_BASE_URL: base }: NodeJS.ProcessEnv): string | null {
  if (!base) return null;
  if (/^https?:$/.test(isUrl(base) ? new URL(base).protocol : '')) return base.replace(/\/+$/, '');
  const what = `API Error: ANTHROPIC_BASE_URL is not a URL of http or https: ${base}`;
  throw new ModelError(what, 'invalid_request', { status: 400 });
}

/** `ANTHROPIC_CUSTOM_HEADERS`: a header a line, for gateways. The client itself knows only those of the process. */
function customHeaders({ ANTHROPIC_CUSTOM_HEADERS: lines = '' }: NodeJS.ProcessEnv): Record<string, string> {
  const headers = Array.from(lines.matchAll(/^([^:\n]+):(.*)$/gm), ([, name = '', value = '']) => [
    name.trim().toLowerCase(),
    value.trim(),
  ]);
  return Object.fromEntries(headers);
}

function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  // What went wrong below the client, which knows no more of it than that there is no answer.
  if (error instanceof Error && error.cause instanceof ModelError) return error.cause;
  const { status, headers, type } = error instanceof APIError ? error : {};
  const message = messageOf(error);
  return new ModelError(`API Error: ${message}`, failureOf(status, message), {
    status,
    type: type ?? undefined,
    retryAfterMs: milliseconds(headers?.get('retry-after')),
    cause: error,
  });
}

function milliseconds(seconds: string | null | undefined): number | undefined {
  const number = Number(seconds ?? Number.NaN);
  return Number.isFinite(number) && number >= 0 ? number * 1000 : undefined;
}

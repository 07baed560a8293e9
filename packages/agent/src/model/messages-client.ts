import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { messageOf } from '@signalbox/protocol';
import { AGENT_VERSION } from '../version.ts';
import { failureOf, ModelError } from './model-error.ts';

const DEFAULT_BASE_URL = 'https://api.anthropic.com';

/** The version of the API that the types of `@anthropic-ai/sdk` describe. */
const API_VERSION = '2026-10-21';

/** How long a connection may take, and how long the API may say nothing: it sends pings while a model thinks. */
const CONNECT_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = 300_000;

/** What is kept of the text of a refusal. */
const MAX_REFUSAL_CHARS = 10_000;

/**
 * Ask the Messages API; the answer's body is a stream of events. Throws {@link ModelError} when it refuses or is not
 * reached. Not the official client nor `fetch`: they would take half of the agent's start and a fifth of its memory.
 */
export async function postMessages(
  { betas = [], ...body }: { stream: true; betas?: readonly string[] },
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const bytes = Buffer.from(JSON.stringify(body));
  const response = await post(messagesUrl(env), headersOf(env, betas), bytes, signal);
  const { statusCode: status = 0 } = response;
  if (status >= 200 && status < 300) return response;
  const text = await refusalText(response);
  throw new ModelError(`API Error: ${status} ${text || 'status code (no body)'}`, failureOf(status), {
    status,
    retryAfterMs: retryAfter(response.headers),
  });
}

function messagesUrl({ ANTHROPIC_BASE_URL: base }: NodeJS.ProcessEnv): URL {
  const text = `${(base || DEFAULT_BASE_URL).replace(/\/+$/, '')}/v1/messages`;
  if (URL.canParse(text)) return new URL(text);
  throw new ModelError(`API Error: ANTHROPIC_BASE_URL is not a URL: ${base}`, 'invalid_request', {
    status: 400,
  });
}

function headersOf(env: NodeJS.ProcessEnv, betas: readonly string[]): OutgoingHttpHeaders {
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': `signalbox-agent/${AGENT_VERSION}`,
    'anthropic-version': API_VERSION,
    authorization: `Bearer ${env.ANTHROPIC_API_KEY || env.ANTHROPIC_AUTH_TOKEN}`,
    ...(betas.length > 0 ? { 'anthropic-beta': betas.join(',') } : {}),
    ...customHeaders(env),
  };
}

/** `ANTHROPIC_CUSTOM_HEADERS`: a header a line, for gateways. */
function customHeaders({ ANTHROPIC_CUSTOM_HEADERS: lines = '' }: NodeJS.ProcessEnv): Record<string, string> {
  const headers = Array.from(lines.matchAll(/^([^:\n]+):(.*)$/gm), ([, name = '', value = '']) => [
    name.trim().toLowerCase(),
    value.trim(),
  ]);
  return Object.fromEntries(headers);
}

async function post(
  url: URL,
  headers: OutgoingHttpHeaders,
  body: Buffer,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = url.protocol === 'http:' ? await import('node:http') : await import('node:https');
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    const sent = request(url, { method: 'POST', headers, signal, timeout: SILENCE_LIMIT_MS }, (incoming) => {
      response = incoming;
      resolve(incoming);
    });
    sent.once('timeout', () => (response ?? sent).destroy(new Error('Request timed out.')));
    sent.on('error', (error) => {
      const what = messageOf(error) || ('code' in error ? String(error.code) : error.name);
      reject(new ModelError(`API Error: Connection error: ${what}`, 'unknown', { cause: error }));
    });
    limitConnecting(sent);
    sent.end(body);
  });
}

function limitConnecting(request: ClientRequest): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => request.destroy(new Error('Connection timed out.')), CONNECT_LIMIT_MS);
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
  });
}

async function refusalText(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk);
      if (text.length > MAX_REFUSAL_CHARS) break;
    }
  } catch {
    // The status says enough.
  }
  return text.slice(0, MAX_REFUSAL_CHARS).trim();
}

function retryAfter({ 'retry-after': text }: IncomingHttpHeaders): number | undefined {
  const seconds = Number(text ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

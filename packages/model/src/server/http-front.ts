import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { SignalboxError } from '@signalbox/protocol';
import { ApiError } from '../api/api-error.ts';
import { ModelListenError } from '../errors.ts';
import type { Ids } from './ids.ts';
import type { Ending } from './perform.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';

/** One request and its answer on their way; `signal` fires when the client has gone. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly logged: LoggedRequest;
  readonly signal: AbortSignal;
}

export interface HttpFrontOptions {
  readonly host: string;
  readonly port: number;
  readonly ids: Ids;
  readonly log: RequestLog;
  readonly onRequest: ((request: LoggedRequest) => void) | undefined;
  /** Answers an exchange; an `ApiError` that it throws becomes the answer. */
  readonly handle: (exchange: Exchange) => Promise<Ending>;
}

/** A listening server. `close` breaks off what is under way and can be called again. */
export interface HttpFront {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ModelListenError(host, port, error)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** What the script refuses is the client's mistake; anything else is ours. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof SignalboxError) return new ApiError(400, error.message, { code: error.code });
  return new ApiError(500, `The scripted model failed: ${String(error)}`);
}

function sendError({ response, logged }: Exchange, refusal: ApiError): void {
  logged.code = refusal.code;
  for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
  sendJson(response, refusal.status, refusal.toBody(logged.id));
}

async function answer(exchange: Exchange, handle: HttpFrontOptions['handle']): Promise<void> {
  const { response, logged, signal } = exchange;
  try {
    logged.state = await handle(exchange);
  } catch (error) {
    if (signal.aborted) {
      logged.state = 'left';
    } else if (response.headersSent) {
      logged.state = 'broken';
      response.destroy();
    } else {
      logged.state = 'refused';
      sendError(exchange, toApiError(error));
    }
  }
  logged.status = response.headersSent ? response.statusCode : undefined;
  logged.durationMs = Date.now() - logged.startedAt;
}

/** Starts an HTTP server that logs every request and answers failures in the API's form. */
export async function startHttpFront(options: HttpFrontOptions): Promise<HttpFront> {
  const { host, log, ids } = options;
  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const [path = '/'] = (request.url ?? '/').split('?');
    const id = ids.next('req');
    response.setHeader('request-id', id);
    const logged = log.open(id, request.method ?? 'GET', path, request.headers);
    void answer({ request, response, path, logged, signal: gone.signal }, options.handle).then(() => {
      log.changed(logged);
      options.onRequest?.(logged);
    });
  });
  const port = await listen(server, options.port, host);
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: () => {
      closed ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closed;
    },
  };
}

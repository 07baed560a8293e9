import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIMITS } from '@signalbox/protocol';
import { SignInLimitError } from '../auth/auth-errors.ts';
import { type DeviceQuotas, LONG_ANSWER_BYTES } from '../auth/device-quotas.ts';
import type { HostGuard } from '../auth/host-guard.ts';
import type { OpenSockets } from '../auth/open-sockets.ts';
import { permit } from '../auth/permit.ts';
import { Exchange } from '../http/exchange.ts';
import type { RequestPatience } from '../http/request-patience.ts';
import { Router } from '../http/router.ts';
import type { ConsoleFiles } from '../server/console-files.ts';
import { assertOneHost } from '../server/upgrade-request.ts';
import type { Store } from '../store/store.ts';
import { DeviceQueue } from '../work/device-queue.ts';
import { freeMemory, LONG_MESSAGE_BYTES } from '../work/free-memory.ts';
import { RequestInvalidError, RouteNotFoundError } from './api-errors.ts';
import { openApiOf } from './openapi.ts';
import { problemOf } from './problem.ts';
import type { Readiness } from './readiness.ts';
import { Repeats } from './repeats.ts';
import { bodyIn } from './request.ts';
import { JSONL, type Route } from './route.ts';
import { addSignIn, type SignInParts } from './sign-in.ts';

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';

/** What the HTTP side of the hub works with. */
export interface AppParts extends Omit<SignInParts, 'devices'> {
  store: Store;
  routes: readonly Route[];
  guard: HostGuard;
  quotas: DeviceQuotas;
  sockets: OpenSockets;
  patience: RequestPatience;
  readiness: Readiness;
  metrics: () => Promise<string>;
  /** The web app; without it there is nothing at `/`. */
  console?: ConsoleFiles | undefined;
}

/** Answers all that comes to the hub over HTTP. */
export function createApp(
  parts: AppParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { guard, log, patience } = parts;
  const router = routerOf(parts);
  return async (request, response) => {
    const startMs = performance.now();
    const exchange = new Exchange(request, response, patience);
    const { method, path } = exchange;
    try {
      assertOneHost(request);
      guard.check(exchange.header);
      const answer = router.find(exchange) ?? ((page: Exchange) => showConsole(page, parts.console));
      await answer(exchange);
    } catch (error) {
      const problem = problemOf(error);
      // That whoever asked has left, or was cut off, is no failure of the hub.
      if (problem.status === 500 && !exchange.isGone) log.failure(error, { path });
      // An answer that breaks off says so by itself.
      if (!exchange.isAnswered && !exchange.isGone) {
        const wait = error instanceof SignInLimitError ? { 'retry-after': String(error.retryAfterS) } : {};
        exchange.answer(problem.status, 'application/problem+json', JSON.stringify(problem), wait);
      }
    }
    const ms = Math.round(performance.now() - startMs);
    log.debug('request', { method, path, status: exchange.status, ms });
  };
}

function routerOf(parts: AppParts): Router {
  const { store, routes, gatekeeper, quotas, readiness, metrics } = parts;
  const router = new Router();
  router.on('GET', '/healthz', (exchange) => exchange.answer(200, TEXT, 'ok\n'));
  router.on('GET', '/readyz', async (exchange) => {
    const problem = await readiness.problem();
    exchange.answer(problem === undefined ? 200 : 503, TEXT, `${problem ?? 'ok'}\n`);
  });
  router.on('GET', '/metrics', async (exchange) => {
    const device = await gatekeeper.identify(exchange.header);
    exchange.onEnd(quotas.take(device.id, 'requests'));
    permit(device, 'watch');
    exchange.answer(200, TEXT, await metrics());
  });
  router.on('GET', '/api/openapi.json', async (exchange) => {
    const device = await gatekeeper.identify(exchange.header);
    exchange.onEnd(quotas.take(device.id, 'requests'));
    exchange.json(200, openApiOf(routes));
  });
  addSignIn(router, { ...parts, devices: store.devices });
  addRoutes(router, parts);
  return router;
}

function addRoutes(router: Router, { routes, gatekeeper, quotas, sockets, store }: AppParts): void {
  const repeats = new Repeats(store.answers);
  const long = new DeviceQueue();
  for (const route of routes) {
    router.on(route.method.toUpperCase(), route.path, async (exchange, params) => {
      const hasBody = route.method === 'post' || route.method === 'patch';
      const visitor = await sockets.entering(async () => {
        const found = await gatekeeper.visitor(exchange.header);
        // A token that is revoked takes along what it is sending or reads: nothing else of a request takes long.
        if (hasBody) sockets.add(found.device, exchange.body);
        if (route.gives === JSONL || route.isLong) sockets.add(found.device, exchange.reply);
        return found;
      });
      const { id } = visitor.device;
      exchange.onEnd(quotas.take(id, 'requests'));
      if (route.gives === JSONL) exchange.onEnd(quotas.take(id, 'downloads'));
      const { path, query } = exchange;
      const call = { device: visitor.device, params, query };
      if (route.isLong)
        return long.run(id, async () => {
          // Whoever has left meanwhile costs nobody anything.
          if (exchange.isGone) return;
          const release = quotas.take(id, 'downloads');
          exchange.onEnd(release);
          const content = bytesOf(await route.serve({ ...call, body: undefined }));
          if (content.byteLength <= LONG_ANSWER_BYTES) release();
          exchange.answer(route.status, JSON_TYPE, content);
        });
      // Before anything of it is read.
      if (hasBody) permit(visitor.device, route.scope, params.session ?? visitor.device.session ?? undefined);
      if (route.takes === JSONL) {
        exchange.expectType(JSONL);
        return answerWith(exchange, route, await route.serve({ ...call, body: exchange.bytes() }));
      }
      const key = route.method === 'post' ? keyIn(exchange) : undefined;
      if (key === undefined) {
        const body = hasBody ? await valueIn(exchange, route) : undefined;
        return answerWith(exchange, route, await route.serve({ ...call, body }));
      }
      const { text, value: body } = await bodyIn(exchange, route.size);
      const reply = await repeats.once(visitor, key, {
        request: `${path}\n${JSON.stringify(query)}\n${text}`,
        isRepeatable: route.isRepeatable ?? false,
        work: async (attempt) => ({
          status: route.status,
          body: JSON.stringify(await route.serve({ ...call, body, attempt })),
        }),
      });
      return exchange.answer(route.status, JSON_TYPE, reply.body);
    });
  }
}

/** The body as a value. While it is worked on, the text that it was read from is not held: it may be long. */
async function valueIn(exchange: Exchange, { size }: Route): Promise<unknown> {
  const read = async (): Promise<{ value: unknown; isLong: boolean }> => {
    const { text, value } = await bodyIn(exchange, size);
    return { value, isLong: text.length > LONG_MESSAGE_BYTES };
  };
  const { value, isLong } = await read();
  if (isLong) freeMemory();
  return value;
}

function keyIn({ header }: Exchange): string | undefined {
  const key = header('idempotency-key');
  if (key !== undefined && (key === '' || key.length > LIMITS.idempotencyKeyLength.most))
    throw new RequestInvalidError(
      `an Idempotency-Key has 1 to ${LIMITS.idempotencyKeyLength.most} characters`,
    );
  return key;
}

async function answerWith(exchange: Exchange, route: Route, answer: unknown): Promise<void> {
  const { status } = route;
  const type = route.gives ?? JSON_TYPE;
  if (isLines(answer)) await exchange.stream(status, type, answer);
  else exchange.answer(status, type, bytesOf(answer));
}

function bytesOf(answer: unknown): Uint8Array {
  return answer instanceof Uint8Array ? answer : Buffer.from(JSON.stringify(answer));
}

function isLines(answer: unknown): answer is AsyncIterable<string | Uint8Array> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

function showConsole(exchange: Exchange, files: ConsoleFiles | undefined): void {
  const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
  if (!isRead || !files?.answer(exchange)) throw new RouteNotFoundError();
}

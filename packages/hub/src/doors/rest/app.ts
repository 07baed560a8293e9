import type { IncomingMessage, ServerResponse } from 'node:http';
import { SignInLimitError } from '../../auth/auth-errors.ts';
import type { HostGuard } from '../../auth/host-guard.ts';
import { SignInLimit } from '../../auth/sign-in-limit.ts';
import { RouteNotFoundError } from '../../base/request-errors.ts';
import type { Readiness } from '../../service/readiness.ts';
import type { Device } from '../../store/device.ts';
import { StoreUncertainError } from '../../store/store-errors.ts';
import { Exchange } from '../http/exchange.ts';
import { problemOf } from '../http/problem.ts';
import type { RequestPatience } from '../http/request-patience.ts';
import { Router } from '../http/router.ts';
import { assertOneHost } from '../http/upgrade-request.ts';
import type { ConsoleFiles } from './console-files.ts';
import { addNoticeAnswers, type NoticeAnswerParts } from './notice-answers.ts';
import { openApiOf } from './openapi.ts';
import { type EndpointParts, serveEndpoints } from './serve-endpoints.ts';
import { addSignIn, type SignInParts } from './sign-in.ts';

const TEXT = 'text/plain; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';

/** What the HTTP side of the hub works with. */
export interface AppParts extends SignInParts, EndpointParts, Pick<NoticeAnswerParts, 'answers'> {
  guard: HostGuard;
  patience: RequestPatience;
  readiness: Readiness;
  metrics: (by: Device) => Promise<string>;
  /** The web app; without it there is nothing at `/`. */
  console?: ConsoleFiles | undefined;
}

/** Answers all that comes to the hub over HTTP. */
export function createApp(
  parts: AppParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { guard, log, patience } = parts;
  const router = routerOf(parts);
  const open = new Set<Exchange>();
  parts.store.onDoubt?.(() => {
    const body = JSON.stringify(problemOf(new StoreUncertainError('')));
    // Those that are refused for good hear that.
    setImmediate(() => {
      for (const exchange of open) exchange.giveUp(503, PROBLEM_TYPE, body);
    });
  });
  return async (request, response) => {
    const startMs = performance.now();
    const exchange = new Exchange(request, response, patience);
    const { method, path } = exchange;
    open.add(exchange);
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
        exchange.answer(problem.status, PROBLEM_TYPE, JSON.stringify(problem), wait);
      }
    } finally {
      open.delete(exchange);
    }
    const ms = Math.round(performance.now() - startMs);
    log.debug('request', { method, path, status: exchange.status, ms });
  };
}

function routerOf(parts: AppParts): Router {
  const { endpoints, gatekeeper, quotas, readiness, metrics } = parts;
  const router = new Router();
  router.on('GET', '/healthz', (exchange) => exchange.answer(200, TEXT, 'ok\n'));
  router.on('GET', '/readyz', async (exchange) => {
    const problem = await readiness.problem();
    exchange.answer(problem === undefined ? 200 : 503, TEXT, `${problem ?? 'ok'}\n`);
  });
  router.on('GET', '/metrics', async (exchange) => {
    const device = await gatekeeper.identify(exchange.header);
    exchange.onEnd(quotas.take(device.id, 'requests'));
    exchange.answer(200, TEXT, await metrics(device));
  });
  router.on('GET', '/api/openapi.json', async (exchange) => {
    const device = await gatekeeper.identify(exchange.header);
    exchange.onEnd(quotas.take(device.id, 'requests'));
    exchange.json(200, openApiOf(endpoints));
  });
  addSignIn(router, parts);
  addNoticeAnswers(router, { ...parts, limit: new SignInLimit() });
  serveEndpoints(router, parts);
  return router;
}

function showConsole(exchange: Exchange, files: ConsoleFiles | undefined): void {
  const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
  if (!isRead || !files?.answer(exchange)) throw new RouteNotFoundError();
}

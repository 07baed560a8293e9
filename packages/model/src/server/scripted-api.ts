import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../api/api-error.ts';
import { readConversation } from '../api/conversation.ts';
import { modelById, modelList } from '../api/models.ts';
import { parseCountTokensRequest, parseMessagesRequest } from '../api/request.ts';
import { countInputTokens, PromptCache } from '../api/tokens.ts';
import { checkToolPairing } from '../api/tool-pairing.ts';
import { compose } from '../scenario/compose.ts';
import { checkFault } from '../scenario/load.ts';
import { type Part, ScenarioPlayer } from '../scenario/player.ts';
import type { Fault, Scenario } from '../scenario/schema.ts';
import { FaultQueue } from './fault-queue.ts';
import { type Exchange, sendJson } from './http-front.ts';
import type { Ids } from './ids.ts';
import { type Ending, performStream, performWhole } from './perform.ts';
import { parseJsonBody, readBody } from './read-body.ts';
import type { RequestLog } from './request-log.ts';

/** Where faults are injected (POST) and cleared (DELETE) over HTTP. */
export const FAULTS_PATH = '/_signalbox/faults';
const MODELS_PATH = '/v1/models';

const FAULT_MESSAGES: Readonly<Record<number, string>> = {
  401: 'invalid x-api-key',
  403: 'Your API key does not have permission to use the specified resource.',
  429: 'This request would exceed your rate limit. Please try again later.',
  500: 'Internal server error',
  529: 'Overloaded',
};

type Handler = (exchange: Exchange) => Ending | Promise<Ending>;

const answerWith =
  (body: () => unknown): Handler =>
  ({ response }) => {
    sendJson(response, 200, body());
    return 'answered';
  };

function refusal(fault: Extract<Fault, { kind: 'status' }>): ApiError {
  const message = fault.message ?? FAULT_MESSAGES[fault.status] ?? 'A scripted failure';
  const retry = fault.retry_after_s;
  const headers: Record<string, string> = retry === undefined ? {} : { 'retry-after': String(retry) };
  return new ApiError(fault.status, message, { headers });
}

/** The Messages API, answered from a scenario. */
export class ScriptedApi {
  readonly faults = new FaultQueue();
  readonly #cache = new PromptCache();
  readonly #ids: Ids;
  readonly #log: RequestLog;
  readonly #latencyMs: number;
  #player: ScenarioPlayer;

  constructor(scenario: Scenario, ids: Ids, log: RequestLog, latencyMs: number) {
    this.#player = new ScenarioPlayer(scenario);
    this.#ids = ids;
    this.#log = log;
    this.#latencyMs = latencyMs;
  }

  /** Starts a scenario from its beginning; without one, the current scenario. */
  restart(scenario: Scenario = this.#player.scenario): void {
    this.#player = new ScenarioPlayer(scenario);
  }

  /** Forgets everything: spent turns, waiting faults, cached prompts. */
  reset(): void {
    this.restart();
    this.faults.clear();
    this.#cache.clear();
  }

  async handle(exchange: Exchange): Promise<Ending> {
    const { request, path } = exchange;
    const handlers = this.#handlersOf(path);
    if (!handlers) throw new ApiError(404, `Not found: ${path}`);
    const handler = handlers.get(request.method ?? '');
    if (!handler) {
      const allow = [...handlers.keys()].join(', ');
      throw new ApiError(405, `Method not allowed: ${path} takes ${allow}`, { headers: { allow } });
    }
    return await handler(exchange);
  }

  #handlersOf(path: string): Map<string, Handler> | undefined {
    switch (path) {
      case '/v1/messages':
        return new Map([['POST', (exchange) => this.#messages(exchange)]]);
      case '/v1/messages/count_tokens':
        return new Map([['POST', (exchange) => this.#countTokens(exchange)]]);
      case MODELS_PATH:
        return new Map([['GET', answerWith(modelList)]]);
      case FAULTS_PATH:
        return new Map<string, Handler>([
          ['POST', (exchange) => this.#injectFault(exchange)],
          ['DELETE', (exchange) => this.#clearFaults(exchange)],
        ]);
      default: {
        if (!path.startsWith(`${MODELS_PATH}/`)) return undefined;
        return new Map([['GET', answerWith(() => modelById(path.slice(MODELS_PATH.length + 1)))]]);
      }
    }
  }

  async #messages(exchange: Exchange): Promise<Ending> {
    const { response, signal, logged } = exchange;
    const request = parseMessagesRequest(await this.#body(exchange));
    checkToolPairing(request.messages);
    const conversation = readConversation(request);
    logged.lastUserText = conversation.lastUserText;
    const part = this.#player.choose(request, conversation, () => this.faults.take());
    logged.turn = part.label;
    logged.background = part.background;
    this.#log.changed(logged);

    if (this.#latencyMs > 0) await sleep(this.#latencyMs, undefined, { signal, ref: false });
    const refused = part.faults.find((fault) => fault.kind === 'status');
    if (refused) throw refusal(refused);
    const performance = compose(part, request.model, this.#cache.account(request), this.#ids);
    const delivery = { tokenDelayMs: this.#tokenDelay(part), signal };
    return await (request.stream ? performStream : performWhole)(response, performance, delivery);
  }

  #tokenDelay(part: Part): number {
    const slow = part.faults.find((fault) => fault.kind === 'slow');
    const script = part.background ? undefined : this.#player.scenario.token_delay_ms;
    return slow?.token_delay_ms ?? part.reply.token_delay_ms ?? script ?? 0;
  }

  async #countTokens(exchange: Exchange): Promise<Ending> {
    const request = parseCountTokensRequest(await this.#body(exchange));
    sendJson(exchange.response, 200, { input_tokens: countInputTokens(request) });
    return 'answered';
  }

  async #injectFault(exchange: Exchange): Promise<Ending> {
    // A page in a browser can send a form to loopback, but not JSON without asking first.
    if (!exchange.request.headers['content-type']?.startsWith('application/json')) {
      throw new ApiError(415, 'A fault is sent as application/json');
    }
    this.faults.add(checkFault(await this.#body(exchange)));
    sendJson(exchange.response, 201, {});
    return 'answered';
  }

  #clearFaults({ response }: Exchange): Ending {
    this.faults.clear();
    sendJson(response, 200, {});
    return 'answered';
  }

  async #body({ request, logged }: Exchange): Promise<unknown> {
    const body = parseJsonBody(await readBody(request));
    logged.body = body;
    this.#log.changed(logged);
    return body;
  }
}

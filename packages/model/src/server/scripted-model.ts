import { checkFault, defineScenario, loadScenario } from '../scenario/load.ts';
import type { FaultInput, Scenario, ScenarioInput } from '../scenario/schema.ts';
import { startHttpFront } from './http-front.ts';
import { Ids } from './ids.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { ScriptedApi } from './scripted-api.ts';

export interface ScriptedModelOptions {
  /** A scenario, or the name of a built-in one, or the path of a JSON file. */
  readonly scenario: string | ScenarioInput;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** A pause before every answer of the Messages route. */
  readonly latencyMs?: number;
  /** Called when a request has been answered, refused or left. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** What goes into `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  readonly port: number;
  /** The newest requests, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** The first request that fits, of those logged or still to come; rejects with `MODEL_WAIT_TIMEOUT`. */
  waitForRequest(fits: (request: LoggedRequest) => boolean, timeoutMs?: number): Promise<LoggedRequest>;
  /** Makes the script's next request fail (or its next `first` ones); several faults strike one after the other. */
  injectFault(fault: FaultInput): void;
  clearFaults(): void;
  /** Plays another scenario, from its beginning. */
  setScenario(scenario: string | ScenarioInput): Promise<void>;
  /** Back to the beginning: the scenario, the log, faults and cached prompts. */
  reset(): void;
  /** Stops at once, breaking off what is under way; can be called again. */
  close(): Promise<void>;
}

async function resolveScenario(scenario: string | ScenarioInput): Promise<Scenario> {
  return typeof scenario === 'string' ? await loadScenario(scenario) : defineScenario(scenario);
}

/** Starts a Messages API server that answers from a scenario, on loopback unless told otherwise. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { host = '127.0.0.1', port = 0, latencyMs = 0, onRequest } = options;
  const ids = new Ids();
  const log = new RequestLog();
  const api = new ScriptedApi(await resolveScenario(options.scenario), ids, log, latencyMs);
  const front = await startHttpFront({
    host,
    port,
    ids,
    log,
    onRequest,
    handle: (exchange) => api.handle(exchange),
  });
  return {
    url: front.url,
    port: front.port,
    requests: log.requests,
    waitForRequest: (fits, timeoutMs) => log.wait(fits, timeoutMs),
    injectFault: (fault) => api.faults.add(checkFault(fault)),
    clearFaults: () => api.faults.clear(),
    setScenario: async (scenario) => api.restart(await resolveScenario(scenario)),
    reset: () => {
      api.reset();
      log.clear();
    },
    close: () => front.close(),
  };
}

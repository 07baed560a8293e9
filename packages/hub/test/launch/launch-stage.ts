import { fileURLToPath } from 'node:url';
import type { ScriptedModel } from '@signalbox/model';
import type { LaunchSpec, Session } from '@signalbox/protocol/hub';
import {
  type Answer,
  call,
  startModel,
  startTestHub,
  type TestHub,
  temporaryFolder,
  until,
} from '@signalbox/testing/hub/test-parts';
import { endProcess } from '@signalbox/testing/is-running';
import { onTestFinished } from 'vitest';
import { findBridges } from '../../src/bridge/find-bridges.ts';
import type { HubOptions } from '../../src/hub.ts';
import type { LaunchSetup, LocalAgent } from '../../src/launch/local-agent.ts';
import type { Store } from '../../src/store/store.ts';

const AGENT = fileURLToPath(new URL('../../../../dist/signalbox-agent.js', import.meta.url));
export const SIGNALBOX = fileURLToPath(new URL('../../../../dist/signalbox.js', import.meta.url));

/** A machine on which a hub can launch `signalbox-agent` on the scripted model; `claude` is not there. */
export class LaunchStage {
  /** Where agents work. */
  readonly folder = temporaryFolder();
  readonly home: string;
  readonly model: ScriptedModel;
  readonly store: Store;
  readonly #setup: LaunchSetup;
  #hub: TestHub;

  private constructor(setup: LaunchSetup, model: ScriptedModel, hub: TestHub) {
    this.home = setup.home;
    this.model = model;
    this.store = hub.store;
    this.#setup = setup;
    this.#hub = hub;
    onTestFinished(() => this.endBridges());
  }

  /** `program` is how bridges are run. */
  static async open(
    options: Partial<HubOptions> = {},
    program: readonly string[] = [process.execPath, SIGNALBOX],
    more: Partial<LaunchSetup> = {},
  ): Promise<LaunchStage> {
    const model = await startModel();
    const home = temporaryFolder();
    const agents = agentsOf(home, model.url);
    const setup = { home, program, agents: () => agents, ...more };
    return new LaunchStage(setup, model, await startTestHub({ ...options, launch: setup }));
  }

  /** Another hub for the store and home of this stage; the port of one that has closed can be used again. */
  async startHub(port = 0, options: Partial<HubOptions> = {}): Promise<void> {
    this.#hub = await startTestHub({ ...options, store: this.store, port, launch: this.#setup });
  }

  /** What it takes to launch agents here. */
  get setup(): LaunchSetup {
    return this.#setup;
  }

  get token(): string {
    return this.#hub.token;
  }

  get hub(): TestHub['hub'] {
    return this.#hub.hub;
  }

  call(method: string, path: string, body?: unknown, token = this.#hub.token): Promise<Answer> {
    return call(this.hub.url, token, method, path, body);
  }

  launch(spec: Partial<LaunchSpec>, session: object = {}, token?: string): Promise<Answer> {
    const launch = { agent: 'signalbox-agent', folder: this.folder, ...spec };
    return this.call('POST', '/api/sessions', { ...session, launch }, token);
  }

  /** Launch one that must start; gives its session. */
  async launched(spec: Partial<LaunchSpec> = {}, session: object = {}): Promise<Session> {
    const { status, body } = await this.launch(spec, session);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.session;
  }

  /** Prompt a session, and wait for the end of the turn. */
  async prompt(session: string, content: string): Promise<void> {
    const results = await this.resultsOf(session);
    await this.call('POST', `/api/sessions/${session}/prompts`, { clientId: crypto.randomUUID(), content });
    await until(async () => (await this.resultsOf(session)).length > results.length);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
  async messagesOf(session: string): Promise<any[]> {
    const { entries } = await this.store.record.tail(session, 1000);
    return entries.flatMap((entry) => (entry.kind === 'line' ? [entry.line.json()] : []));
  }

  async resultsOf(session: string): Promise<string[]> {
    const messages = await this.messagesOf(session);
    return messages.filter(({ type }) => type === 'result').map(({ result }) => result);
  }

  async stateOf(session: string): Promise<string | undefined> {
    return (await this.store.sessions.get(session))?.state;
  }

  /** The process of a session's agent. */
  async agentOf(session: string): Promise<{ bridge: number; agent: number }> {
    const bridges = await findBridges(this.home);
    const found = bridges.find((bridge) => bridge.session === session);
    return { bridge: found?.pid ?? 0, agent: found?.agentPid ?? 0 };
  }

  /** Agents outlive their hub, and must not outlive their test. */
  async endBridges(): Promise<void> {
    for (const { pid, state } of await findBridges(this.home))
      if (state === 'running' && pid !== process.pid) endProcess(pid);
    await until(async () => (await findBridges(this.home)).every(({ state }) => state !== 'running'));
  }
}

function agentsOf(home: string, modelUrl: string): LocalAgent[] {
  const env = { HOME: home, ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: 'scripted' };
  const command = [process.execPath, AGENT];
  const version = (): Promise<string> => Promise.resolve('1.2.3');
  return [
    { name: 'claude', title: 'claude', command: null, path: null, why: 'install it.', version },
    { name: 'signalbox-agent', title: 'signalbox-agent', command, env, path: AGENT, why: null, version },
  ];
}

/** A custom agent that runs this code. */
export function running(code: string): Partial<LaunchSpec> {
  return { agent: 'custom', command: [process.execPath, '-e', code] };
}

/** Answers whoever greets it, and then does this. */
export function greetedThen(code: string): Partial<LaunchSpec> {
  return running(`
    const answer = ({ request_id, request }) => {
      const response = { subtype: 'success', request_id, response: {} };
      process.stdout.write(JSON.stringify({ type: 'control_response', response }) + '\\n');
      if (request.subtype === 'initialize') { ${code} }
    };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.type === 'control_request') answer(message);
    });`);
}

import { randomUUID } from 'node:crypto';
import type { Transport } from '@signalbox/transport';
import { createTransport } from '@signalbox/transport/create-transport';
import { AgentServer } from '../listen/agent-server.ts';
import { answeredBy } from '../listen/listen.ts';
import type { ListenedAgent } from '../listen/listened-agent.ts';
import type { AgentProcess, StartAgent } from '../process/agent-process.ts';
import { spawnAgent } from '../process/spawn-agent.ts';
import type { Options } from '../types/options.ts';
import type { LoopRelayOptions } from './loop.ts';
import { RelayedAgent } from './relayed-agent.ts';

/** How long an agent may take to dial; one that does not is run behind a bridge. */
const DIAL_MS = 30_000;

type Dialled = [start: StartAgent, agent: ListenedAgent];

/** Who waits for the next agent. */
interface Arrivals {
  tell: (dialled: Dialled) => void;
}

/** The port of a loop: its agents dial it one after the other, and others look on. */
export class LoopRelay {
  readonly #server: AgentServer;
  readonly #token: string;
  /** Agents that refuse `--sdk-url` do so every time. */
  #way: 'sdk-url' | 'bridge' = 'sdk-url';
  readonly #arrivals: Arrivals;

  private constructor(server: AgentServer, token: string, arrivals: Arrivals) {
    this.#server = server;
    this.#token = token;
    this.#arrivals = arrivals;
  }

  /** Raises `LISTEN_FAILED`. */
  static async open(
    { port, token, observers = 'watch' }: LoopRelayOptions,
    options: Options,
  ): Promise<LoopRelay> {
    const agentToken = randomUUID();
    const arrivals: Arrivals = { tell: () => {} };
    const answers = answeredBy(options);
    const settings = {
      port,
      token,
      agentToken,
      observers,
      answers,
      returnTimeoutMs: undefined,
      onGap: () => {},
    };
    const server = await AgentServer.listen(settings, (...dialled) => arrivals.tell(dialled));
    return new LoopRelay(server, agentToken, arrivals);
  }

  get url(): string {
    return this.#server.url;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  readonly start: StartAgent = async (options, signal) => {
    if (this.#way === 'sdk-url') {
      const agent = await this.#dialling(options, signal);
      if (agent) return agent;
      this.#way = 'bridge';
    }
    return this.#bridged(options, signal);
  };

  /** Undefined when the agent ends without having dialled, or does not dial. */
  async #dialling(options: Options, signal: AbortSignal): Promise<AgentProcess | undefined> {
    const env = { ...(options.env ?? process.env), CLAUDE_CODE_SESSION_ACCESS_TOKEN: this.#token };
    const extraArgs = { ...options.extraArgs, 'sdk-url': this.url };
    const dialled = this.#nextDialled();
    const child = await spawnAgent({ ...options, env, extraArgs }, signal);
    void drain(child);
    let timer: NodeJS.Timeout | undefined;
    const found = await Promise.race([
      dialled,
      child.exited.then(() => undefined),
      new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, DIAL_MS, undefined);
      }),
    ]);
    clearTimeout(timer);
    if (found) return joined(found, child, options, signal);
    await child.close();
    if (signal.aborted) throw signal.reason;
    return undefined;
  }

  /** The agent talks on its stdio, and its lines go over the port as if it had dialled. */
  async #bridged(options: Options, signal: AbortSignal): Promise<AgentProcess> {
    const dialled = this.#nextDialled();
    const child = await spawnAgent(options, signal);
    // The variables of an agent are not ours.
    const link = createTransport(this.url, { lossless: true, ingressToken: this.#token, env: {} });
    void bridge(child, link);
    return joined(await dialled, child, options, signal);
  }

  #nextDialled(): Promise<Dialled> {
    return new Promise((resolve) => {
      this.#arrivals.tell = resolve;
    });
  }
}

async function joined(
  [start, agent]: Dialled,
  child: AgentProcess,
  options: Options,
  signal: AbortSignal,
): Promise<AgentProcess> {
  return new RelayedAgent(await start(options, signal), agent, child);
}

async function drain(child: AgentProcess): Promise<void> {
  try {
    for await (const _ of child.receive());
  } catch {
    // What it says beside its connection is for nobody.
  }
}

/** Pass lines on until one of the two leaves. */
async function bridge(child: AgentProcess, link: Transport & { connect(): Promise<void> }): Promise<void> {
  const up = async (): Promise<void> => {
    await link.connect();
    for await (const line of child.receive()) await link.send(line.bytes());
  };
  const down = async (): Promise<void> => {
    for await (const line of link.receive()) await child.send(line.bytes());
  };
  const ways = [up(), down()];
  await Promise.race(ways).catch(() => {});
  await Promise.allSettled([link.close(), child.close(), ...ways]);
}

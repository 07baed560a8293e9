import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import {
  encodeBridgeReport,
  messageOf,
  type OutboundBridgeReport,
  parseBridgeOrder,
  type WireLine,
} from '@signalbox/protocol';
import type { ChildExit } from '@signalbox/transport';
import { endTree } from './agent-tree.ts';
import { AnsweredRequests } from './answered-requests.ts';
import { BridgeFolder, type BridgeMeta } from './bridge-folder.ts';
import { BridgeLog } from './bridge-log.ts';
import { Delivery } from './delivery.ts';
import { endWords, rootCodeOf } from './failure-words.ts';
import { agentUrl, localAddress } from './hub-address.ts';
import { isHubAway } from './hub-socket.ts';
import { lineToSend } from './line-to-send.ts';
import { maskCommand } from './mask-command.ts';
import { OwnedAgent } from './owned-agent.ts';
import { patience } from './patience.ts';
import { Watchdog } from './watchdog.ts';

/** An agent that leaves closes its output a moment before: that alone is not worth a report. */
const OUTPUT_ENDED_GRACE_MS = 1000;

/** What a bridge runs, and for whom. */
export interface BridgeOptions {
  id: string;
  session: string;
  /** Where the hub is: `ws://host:port`. */
  hub: string;
  /** It is the hub of `home`, which is reached by its socket, wherever it comes back. */
  isLocal?: boolean;
  token: () => string | undefined;
  command: readonly string[];
  cwd: string;
  /** Variables for the agent beside those of this process. */
  env?: Readonly<Record<string, string>>;
  /** Where Signalbox keeps its data. */
  home: string;
  /** How to run `signalbox` once more: the program and its first words. */
  program: readonly string[];
  /** Fires when the bridge has to leave and take its agent along. */
  signal: AbortSignal;
  /** Gets what the agent writes to stderr, and what a person should know of the link. */
  onStderr?: (text: string) => void;
  /** How long a hub may refuse the bridge before that leaves and takes its agent along. */
  refusedPatienceMs?: number;
}

/** How a bridge ended. */
export interface BridgeEnd {
  /** How the agent ended; undefined when it could not be started. */
  exit: ChildExit | undefined;
  failure?: string;
  /** False when the folder holds lines that the hub did not get. */
  isDelivered: boolean;
  folder: string;
}

/** Owns an agent: its stdio, its process tree, and what it said until the hub has it. */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #folder: BridgeFolder;
  readonly #log: BridgeLog;
  readonly #delivery: Delivery;
  readonly #meta: BridgeMeta;
  readonly #answered = new AnsweredRequests();
  #agent: OwnedAgent | undefined;
  #life: 'running' | 'gone' = 'running';
  #output: 'open' | 'ended' = 'open';
  #waitNoMore: () => void = () => {};
  /** Why it was not listened to any longer. */
  #endWords = '';
  readonly #refused = new AbortController();

  /** Takes possession of the bridge's folder. Throws `BRIDGE_RUNNING` when someone else has it. */
  constructor(options: BridgeOptions) {
    this.#options = options;
    const { id, session, hub, isLocal = false, token, command, cwd, home } = options;
    const url = agentUrl(hub, session);
    const mark = crypto.randomUUID();
    this.#folder = new BridgeFolder(home, id);
    this.#log = new BridgeLog(this.#folder.log);
    this.#delivery = new Delivery({
      hub: { ...(isLocal ? localAddress(home, session) : { url }), token },
      // It runs one agent in its life.
      run: mark,
      outbox: this.#folder.outbox,
      spill: this.#folder.spill,
      onLine: (line) => this.#fromHub(line),
      log: (text) => this.#log.note(text),
      onTrouble: (text) => this.#tell(text),
      onRefused: () => {
        this.#tell('The hub has refused this bridge for too long. Its agent is ended.');
        this.#refused.abort();
      },
      refusedPatienceMs: options.refusedPatienceMs,
    });
    this.#meta = {
      id,
      session,
      hub: url.origin,
      pid: process.pid,
      host: hostname(),
      cwd,
      command: maskCommand(command),
      started: new Date().toISOString(),
      mark,
    };
  }

  /** Run the agent to its end, and deliver all that it said. */
  async run(): Promise<BridgeEnd> {
    const { program, isLocal = false, home } = this.#options;
    const told = AbortSignal.any([this.#options.signal, this.#refused.signal]);
    const { left } = this.#folder;
    if (left) await endTree(left.mark);
    this.#folder.writeMeta(this.#meta);
    // Before the agent: there must be no moment in which a kill would leave it alone.
    const watchdog = new Watchdog([...program, 'bridge', '--end-tree', this.#meta.mark], (text) =>
      this.#log.note(text),
    );
    const outcome = await this.#runAgent(watchdog, told);
    watchdog.dismiss();
    const isDelivered = await this.#delivery.finish(patience(told, async () => isLocal && isHubAway(home)));
    this.#log.note(isDelivered ? 'All was delivered.' : 'What was not delivered is kept for the next start.');
    if (isDelivered) this.#folder.remove();
    return { ...outcome, isDelivered, folder: this.#folder.path };
  }

  async #runAgent(watchdog: Watchdog, told: AbortSignal): Promise<Pick<BridgeEnd, 'exit' | 'failure'>> {
    const { command, cwd, env = {}, onStderr } = this.#options;
    try {
      this.#agent = await OwnedAgent.start({
        command,
        cwd,
        env,
        mark: this.#meta.mark,
        onStderr: (text) => {
          this.#log.agentSaid(text);
          onStderr?.(text);
        },
      });
    } catch (error) {
      const failure = this.#failed(error);
      this.#folder.writeMeta({ ...this.#meta, failure });
      this.#delivery.open();
      return { exit: undefined, failure };
    }
    const agent = this.#agent;
    watchdog.watch(agent.pid);
    this.#reportStart(agent);
    this.#delivery.open();
    const stop = (): void => agent.stop('gently');
    if (told.aborted) stop();
    told.addEventListener('abort', stop);
    const exit = await this.#follow(agent);
    told.removeEventListener('abort', stop);
    return { exit };
  }

  #reportStart(agent: OwnedAgent): void {
    const { id: bridge, pid, command, cwd, host } = this.#meta;
    this.#report({
      type: 'bridge',
      subtype: 'started',
      bridge,
      pid,
      agent_pid: agent.pid,
      command,
      cwd,
      host,
    });
    this.#folder.writeMeta({ ...this.#meta, agentPid: agent.pid });
  }

  /** Pass on what the agent says until it is gone, and then say how it went. */
  async #follow(agent: OwnedAgent): Promise<ChildExit> {
    const listening = this.#listen(agent);
    const { code, signal } = await agent.exited;
    this.#life = 'gone';
    this.#waitNoMore();
    await listening;
    const descendants = await agent.endLeftOver();
    const stderr = this.#endWords + agent.stderr;
    this.#report({ type: 'bridge', subtype: 'exited', code, signal, stderr, descendants });
    return { code, signal };
  }

  async #listen(agent: OwnedAgent): Promise<void> {
    try {
      for await (const line of agent.lines()) {
        this.#answered.asked(line);
        await this.#whileItLives(this.#delivery.send(lineToSend(line)));
      }
    } catch (error) {
      this.#failed(error);
      this.#endWords = endWords(error);
      return agent.stop('gently');
    } finally {
      this.#output = 'ended';
    }
    const grace = pause(OUTPUT_ENDED_GRACE_MS, 'over', { ref: false });
    if ((await Promise.race([agent.exited, grace])) !== 'over') return;
    const { pid, descendants } = agent;
    this.#report({ type: 'bridge', subtype: 'output_ended', agent_pid: pid, descendants });
  }

  /** Wait for room, unless the agent is gone: then nobody can be made to wait, and what it left is little. */
  #whileItLives(room: Promise<void>): Promise<void> {
    if (this.#life === 'gone') return Promise.resolve();
    return new Promise((resolve) => {
      this.#waitNoMore = resolve;
      void room.then(resolve);
    });
  }

  async #fromHub(line: WireLine): Promise<void> {
    if (line.head().type === 'bridge') this.#obey(line);
    else if (this.#answered.isRepeat(line))
      this.#log.note('The hub sent an answer again that the agent has.');
    else if (this.#life === 'running') await this.#agent?.take(line).catch(() => this.#notTaken());
    else this.#notTaken();
  }

  #notTaken(): void {
    this.#log.note('A line of the hub came for an agent that takes no more.');
  }

  #obey(line: WireLine): void {
    try {
      const order = parseBridgeOrder(line.json());
      switch (order.subtype) {
        case 'stop':
          return this.#agent?.stop(order.mode === 'at_once' ? 'at_once' : 'gently');
        case 'end_input':
          return this.#agent?.endInput();
        case 'inspect':
          return this.#reportStatus();
        default:
          this.#log.note(`The hub gave an order that this version does not know: ${String(order.subtype)}`);
      }
    } catch (error) {
      this.#log.note(`The hub gave an order that cannot be read: ${messageOf(error)}`);
    }
  }

  #reportStatus(): void {
    const { descendants = 0, stderr = '' } = this.#agent ?? {};
    const [agent, output] = [this.#life, this.#output];
    this.#report({ type: 'bridge', subtype: 'status', agent, output, descendants, stderr });
  }

  #failed(error: unknown): string {
    const code = rootCodeOf(error);
    const message = messageOf(error);
    this.#log.note(message);
    this.#report({ type: 'bridge', subtype: 'failed', error: code, message });
    return message;
  }

  #tell(text: string): void {
    this.#log.note(text);
    this.#options.onStderr?.(`signalbox bridge: ${text}\n`);
  }

  #report(report: OutboundBridgeReport): void {
    void this.#delivery.send(Buffer.from(encodeBridgeReport(report)));
  }
}

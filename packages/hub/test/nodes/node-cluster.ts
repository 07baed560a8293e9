import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { type PostgresCluster, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import type { StageHub } from '../chaos/stage.ts';
import { balancerOf } from './balancer.ts';

/** What happens to nodes, and how often in a hundred. Stopping one takes as long as a lease. */
const FAULTS = [
  ...Array<'kill leader'>(40).fill('kill leader'),
  ...Array<'kill follower'>(15).fill('kill follower'),
  ...Array<'end leader'>(20).fill('end leader'),
  ...Array<'cut leader off'>(15).fill('cut leader off'),
  ...Array<'restart database'>(5).fill('restart database'),
  ...Array<'stop leader'>(5).fill('stop leader'),
];

interface StagedNode {
  home: string;
  port: number;
  process: HubProcess;
}

/** Several nodes on one database behind a balancer. Each is started again after it has ended. */
export class NodeCluster implements StageHub {
  readonly port: number;
  readonly nodes: StagedNode[];
  /** How often each fault was made. */
  readonly faults: Record<string, number> = {};
  /** The next fault, if it is not left to chance. */
  next: (typeof FAULTS)[number] | undefined;
  readonly #cluster: PostgresCluster;
  readonly #database: string;
  readonly #random: SeededRandom;

  private constructor(
    nodes: StagedNode[],
    port: number,
    cluster: PostgresCluster,
    database: string,
    seed: number,
  ) {
    this.nodes = nodes;
    this.port = port;
    this.#cluster = cluster;
    this.#database = database;
    this.#random = new SeededRandom(seed);
  }

  static async open(seed: number, count = 3): Promise<NodeCluster> {
    const cluster = await sharedCluster();
    const database = await cluster.createDatabase();
    const nodes: StagedNode[] = [];
    for (let number = 0; number < count; number += 1) {
      const [home, port] = [temporaryFolder(), await freePort()];
      nodes.push({ home, port, process: await started(home, port, database) });
    }
    const balancer = await balancerOf(nodes.map(({ port }) => port));
    return new NodeCluster(nodes, balancer.port, cluster, database, seed);
  }

  get process(): HubProcess {
    const [first] = this.nodes;
    if (!first) throw new Error('there are no nodes');
    return first.process;
  }

  async kill(whileAway: () => Promise<unknown>): Promise<void> {
    const fault = this.next ?? FAULTS[this.#random.below(FAULTS.length)] ?? 'kill leader';
    this.next = undefined;
    this.faults[fault] = (this.faults[fault] ?? 0) + 1;
    const leader = await until(() => this.#leader());
    const others = this.nodes.filter((node) => node !== leader);
    const follower = others[this.#random.below(others.length)] ?? leader;
    switch (fault) {
      case 'kill leader':
        return this.#end(leader, 'SIGKILL', whileAway);
      case 'kill follower':
        return this.#end(follower, 'SIGKILL', whileAway);
      case 'end leader':
        return this.#end(leader, 'SIGTERM', whileAway);
      case 'cut leader off':
        await this.#ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`);
        return void (await whileAway());
      case 'restart database':
        await this.#cluster.stop('immediate');
        await this.#cluster.resume();
        return void (await whileAway());
      case 'stop leader':
        return this.#stop(leader, whileAway);
    }
  }

  async #end(node: StagedNode, signal: NodeJS.Signals, whileAway: () => Promise<unknown>): Promise<void> {
    node.process.tell(signal);
    await node.process.exited;
    await whileAway();
    node.process = await started(node.home, node.port, this.#database);
  }

  /** Stop it until another node leads, then let it continue: it must notice, store nothing and exit. */
  async #stop(node: StagedNode, whileAway: () => Promise<unknown>): Promise<void> {
    node.process.tell('SIGSTOP');
    await until(async () => ![undefined, node].includes(await this.#leader()));
    await whileAway();
    node.process.tell('SIGCONT');
    const { code } = await node.process.exited;
    if (code !== 1) throw new Error(`a node that had lost the lead ended with ${code}`);
    node.process = await started(node.home, node.port, this.#database);
  }

  async #leader(): Promise<StagedNode | undefined> {
    const [row] = await this.#ask(
      'SELECT address FROM signalbox.lead JOIN signalbox.node ON node.id = lead.node WHERE until > clock_timestamp()',
    );
    return this.nodes.find(({ home }) => row?.address === `unix:${home}/hub.sock`);
  }

  #ask(text: string): Promise<Record<string, unknown>[]> {
    return this.#cluster.query(this.#database, text);
  }
}

function started(home: string, port: number, database: string): Promise<HubProcess> {
  return HubProcess.start(home, port, { SIGNALBOX_DATABASE: database, SIGNALBOX_LOG: 'off' });
}

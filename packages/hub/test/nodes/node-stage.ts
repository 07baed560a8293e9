import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { sharedCluster } from '@signalbox/testing/postgres-cluster';
import { onTestFinished } from 'vitest';

/** Several hubs on one database, each a process with a home of its own. */
export class NodeStage {
  readonly database: string;
  readonly nodes: HubProcess[] = [];

  private constructor(database: string) {
    this.database = database;
  }

  static async open(count: number): Promise<NodeStage> {
    const stage = new NodeStage(await (await sharedCluster()).createDatabase());
    for (let number = 0; number < count; number += 1) await stage.start();
    return stage;
  }

  /** One more node, which the others know of; the first one leads. */
  async start(home = this.#newHome(), port = 0, variables: NodeJS.ProcessEnv = {}): Promise<HubProcess> {
    const node = await HubProcess.start(home, port, { SIGNALBOX_DATABASE: this.database, ...variables });
    this.nodes.push(node);
    return node;
  }

  /** What the database says of who leads. */
  async leader(): Promise<HubProcess | undefined> {
    const [row] = await (await sharedCluster()).query(
      this.database,
      'SELECT address FROM signalbox.lead JOIN signalbox.node ON node.id = lead.node',
    );
    return this.nodes.findLast(({ home }) => row?.address === `unix:${join(home, 'hub.sock')}`);
  }

  #newHome(): string {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-node-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
    return home;
  }
}

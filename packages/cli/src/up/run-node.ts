import { setTimeout as pause } from 'node:timers/promises';
import { type Hub, type HubOptions, type Node, type Store, startHub } from '@signalbox/hub';

/** How long a hub that has lost the lead may take to let go of all that is connected. */
const LOST_MS = 5000;

/** What a node does when it leads, and what it says. */
export interface NodeRun {
  signal: AbortSignal;
  hub: Omit<HubOptions, 'store'>;
  /** How people get in. */
  welcome: () => Promise<string>;
  /** Until the hub is to end, or raises what its store was lost by. */
  serve: (hub: Hub, store: Store, welcome: string) => Promise<void>;
}

/** Be one of several hubs on a database, until `signal` fires: follow the node that leads, and lead when there is none. */
export async function runNode(node: Node, { signal, hub, welcome, serve }: NodeRun): Promise<void> {
  let words = await welcome();
  try {
    while (!signal.aborted) {
      const store = await node.tryLead();
      if (store) return await lead(node, { store, hub, serve: (led) => serve(led, store, words) });
      if (words !== LEADS)
        process.stdout.write(
          `${words}\nThe node ${node.leader ?? '(unknown)'} leads, and this one follows it.\n`,
        );
      words = LEADS;
      await node.follow(signal);
    }
  } finally {
    await node.close();
  }
}

const LEADS = 'This node leads now.\n';

async function lead(
  node: Node,
  {
    store,
    hub: options,
    serve,
  }: { store: Store; hub: Omit<HubOptions, 'store'>; serve: (hub: Hub) => Promise<void> },
): Promise<void> {
  node.beginToLead();
  try {
    const hub = await startHub({ ...options, store, server: node.server, node: node.hubNode });
    try {
      await serve(hub);
    } finally {
      const closed = hub.close();
      // Without its store a hub may never be done; what is open ends with the process.
      await (store.lost
        ? Promise.race([closed, store.lost.then(() => pause(LOST_MS, undefined, { ref: false }))])
        : closed);
    }
  } finally {
    await store.close();
  }
}

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { HubNodes } from '@signalbox/protocol/hub';
import { settledWithin } from '@signalbox/transport';
import { HostGuard, isUnspecified } from '../auth/host-guard.ts';
import type { Log } from '../base/log.ts';
import { machineOf } from '../base/machine-of.ts';
import { lockFolder } from '../bridge/folder-lock.ts';
import { writeHubFile } from '../bridge/hub-file.ts';
import { type PeerProof, proofKeyOf } from '../bridge/peer-proof.ts';
import { nodeFolder, type Peer, writePeers } from '../bridge/peers.ts';
import { dialAddress } from '../doors/http/dial-address.ts';
import { type BindOptions, HubServer } from '../doors/http/hub-server.ts';
import { publicUrl } from '../doors/http/public-url.ts';
import { LINK_LIFETIME_MS } from '../service/device-service.ts';
import type { DeviceGrant, Devices } from '../store/device.ts';
import type { NodeNews } from '../store/postgres/node-news.ts';
import { type KnownNode, type LeadSight, NodeTable, type SeenNode } from '../store/postgres/node-table.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import type { Store } from '../store/store.ts';
import { StoreInUseError, StoreUnreachableError } from '../store/store-errors.ts';
import { Forwarder } from './forwarder.ts';
import type { HubNode } from './hub-node.ts';
import { assertNodeAddress, defaultAddress } from './node-address.ts';
import { NodeRunningError } from './node-errors.ts';
import { nodeId } from './node-id.ts';

export type { HubNode } from './hub-node.ts';

const DEFAULT_HOST = '127.0.0.1';

/** How often it is looked who leads. */
const LOOK_MS = 250;

/** How often a node says that it is still there, and looks who else is. */
const SEEN_MS = 2000;

/** How long connections may take to end when a node that follows ends. */
const CLOSE_PATIENCE_MS = 1000;

/** How a node is started. */
export interface NodeOptions extends Omit<BindOptions, 'host'> {
  host?: string;
  database: string;
  home: string;
  names?: readonly string[];
  /** Where other nodes reach it; told from how it listens unless it is said. */
  address?: string | undefined;
  version: string;
  log?: Log | undefined;
}

/** One of several hubs on one database. One of them leads, and is the hub; the others pass on to it whatever comes to them. */
export class Node {
  readonly server: HubServer;
  /** Where people find it. */
  readonly publicUrl: string;
  readonly id: string;
  readonly #options: NodeOptions;
  readonly #table: NodeTable;
  readonly #secret: string;
  readonly #forwarder: Forwarder;
  #sight: LeadSight = { leader: undefined, generation: 0, mayBeFree: false };
  #isSeen: NodeJS.Timeout | undefined;
  #isFollowing = false;
  #onNoted: (by: string) => void = () => {};
  #leadsSince = 0;

  private constructor(options: NodeOptions, table: NodeTable, server: HubServer, secret: string) {
    const { host = DEFAULT_HOST, names = [], tls, behindProxy = false, home } = options;
    this.#options = options;
    this.#table = table;
    this.#secret = secret;
    this.server = server;
    this.id = nodeId(home);
    const dial = dialAddress(host, server.port, tls !== undefined);
    this.publicUrl = publicUrl(options, dial.replace(/^ws/, 'http'));
    this.#forwarder = new Forwarder({
      leader: () => this.#sight.leader && this.#peerOf(this.#sight.leader),
      proof: this.#proof,
      secret,
      guard: new HostGuard(isUnspecified(host) ? names : [host, ...names]),
      isProxied: behindProxy,
      own: server,
    });
    writeHubFile(home, { url: this.publicUrl, socket: server.socket, dial, certificate: tls?.cert });
  }

  /** Raises `NODE_RUNNING`, `NODE_ADDRESS`, what the database cannot be used for, and what cannot be listened on. */
  static async start(options: NodeOptions): Promise<Node> {
    const { database, home, host = DEFAULT_HOST, names = [], tls, address, version } = options;
    if (address !== undefined) assertNodeAddress(address);
    const table = await NodeTable.open(database);
    mkdirSync(nodeFolder(home), { recursive: true, mode: 0o700 });
    let server: HubServer | undefined;
    try {
      const owner = lockFolder(nodeFolder(home));
      if (owner && owner.pid !== process.pid) throw new NodeRunningError(home, owner.pid);
      const secret = await table.secret();
      server = await HubServer.listen({ ...options, host });
      const node = new Node(options, table, server, secret);
      const { port, socket = '' } = server;
      const isSecure = tls !== undefined;
      table.onNews((news) => void node.#hear(news).catch(() => {}));
      await node.#arrive({
        id: node.id,
        address: address ?? defaultAddress({ host, port, names, isSecure, socket }),
        certificate: tls?.cert ?? null,
        version,
      });
      // A database that is away knows of no other nodes either.
      node.#isSeen = setInterval(() => void node.#meet().catch(() => {}), SEEN_MS).unref();
      return node;
    } catch (error) {
      await server?.close(0);
      await table.close();
      throw error;
    }
  }

  /** What the hub of this node knows of being one of several. */
  get hubNode(): HubNode {
    const cookie = createHash('sha256').update(this.#secret).digest('hex').slice(0, 8);
    return { id: this.id, secret: this.#secret, proof: this.#proof, cookie, look: () => this.#look() };
  }

  /** Where programs of this machine connect. */
  get socket(): string | undefined {
    return this.server.socket;
  }

  /** Lets in the programs of its own machine, also while another node leads. */
  get devices(): Pick<Devices, 'authenticate' | 'add' | 'createLink'> {
    return this.#table.devices;
  }

  /** Who leads, as far as that is known. */
  get leader(): string | undefined {
    return this.#sight.leader?.id;
  }

  /** Take the lead: the store, or undefined when another node has it. Raises what the database cannot be used for. */
  async tryLead(): Promise<Store | undefined> {
    try {
      return await openPostgresStore(this.#options.database, { node: this.id });
    } catch (error) {
      // One that is away may be back soon; nothing is lost while this node follows.
      const isPassing = error instanceof StoreUnreachableError && this.#isFollowing;
      if (!(error instanceof StoreInUseError || isPassing)) throw error;
      this.#sight = await this.#table.lead().catch(() => this.#sight);
      return undefined;
    }
  }

  /** A link that signs one browser in, once. */
  async createSignInLink(grant: DeviceGrant): Promise<string> {
    return `${this.publicUrl}/sign-in#${await this.devices.createLink(grant, LINK_LIFETIME_MS)}`;
  }

  /** Pass on whatever comes, until the lead may be free or `signal` fires. */
  async follow(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    this.#isFollowing = true;
    this.server.serve(this.#forwarder.onRequest, this.#forwarder.onUpgrade);
    log?.info('following', { leader: this.leader ?? null });
    while (!signal.aborted) {
      await pause(LOOK_MS, undefined, { signal }).catch(() => {});
      const before = this.#sight;
      // While the database is away nobody takes the lead, and who had it may still have it.
      this.#sight = await this.#table.lead().catch(() => before);
      if (this.#sight.generation !== before.generation) {
        this.#forwarder.leave();
        log?.info('another node leads', { leader: this.leader ?? null });
      }
      if (this.#sight.mayBeFree) break;
    }
  }

  /** What waits for a leader waits for the hub of this node from now on. */
  beginToLead(): void {
    this.#leadsSince = Date.now();
    this.server.pause();
    this.#forwarder.end();
  }

  async #look(): Promise<HubNodes> {
    const { nodes, renewedMsAgo, database } = await this.#table.look();
    return {
      items: nodes.map((node) => ({ ...node, machine: machineOf(node.id) })),
      lead: { since: this.#leadsSince, renewedMsAgo },
      database,
    };
  }

  /** From then on bridges of the node that leads find this one, also when that one is gone the next moment. */
  async #arrive(self: KnownNode): Promise<void> {
    const { leader, mayBeFree } = await this.#table.lead();
    const noted = new Promise<void>((resolve) => {
      this.#onNoted = (by) => {
        if (by === leader?.id) resolve();
      };
    });
    await this.#table.keep(self);
    await this.#meet();
    // One of an earlier version says nothing: by then it has looked by itself.
    if (leader && leader.id !== this.id && !mayBeFree) await settledWithin(noted, SEEN_MS);
  }

  async #hear(news: NodeNews): Promise<void> {
    if (news.kind === 'noted' && news.id === this.id) this.#onNoted(news.by);
    if (news.kind !== 'come' || news.id === this.id) return;
    await this.#noteOthers();
    await this.#table.tell({ kind: 'noted', id: news.id, by: this.id });
  }

  /** Others see this node, and it sees them. */
  async #meet(): Promise<void> {
    await this.#table.see(this.id);
    await this.#noteOthers();
  }

  /** Bridges of this machine know where other nodes are, for when this one is gone. */
  async #noteOthers(): Promise<void> {
    const others = (await this.#table.list()).filter(({ id }) => id !== this.id);
    writePeers(
      this.#options.home,
      others.map((other) => this.#peerOf(other)),
    );
  }

  get #proof(): PeerProof {
    return { node: this.id, key: proofKeyOf(this.#secret) };
  }

  #peerOf({ id, address, certificate, proves }: SeenNode): Peer {
    return { address, certificate, ...(proves ? { proof: { ...this.#proof, node: id } } : {}) };
  }

  /** It is gone. The hub that it was is closed before. */
  async close(): Promise<void> {
    clearInterval(this.#isSeen);
    this.#forwarder.leave();
    await this.server.close(CLOSE_PATIENCE_MS);
    // Its bridges are to find one that has come since it looked last.
    await this.#noteOthers().catch(() => {});
    await this.#table.remove(this.id).catch(() => {});
    await this.#table.close();
  }
}

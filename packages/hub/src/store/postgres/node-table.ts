import type { Devices } from '../device.ts';
import { SqlAudit } from '../sql/parts/audit.ts';
import { SqlDevices } from '../sql/parts/devices.ts';
import type { Steps } from '../sql/statement.ts';
import { type DatabaseAddress, databaseAddress } from './database-address.ts';
import { LEAD_STATE, LEASE_MS, type LeadState } from './lead.ts';
import { NEWS_CHANNEL, type NodeNews, nodeNewsIn } from './node-news.ts';
import { APPLICATION, PostgresConnection } from './postgres-connection.ts';
import { storeErrorFor } from './postgres-errors.ts';
import { migrate, SCHEMA } from './schema.ts';
import { WEEK_MS } from './stored-runs.ts';

/** Nodes that were not heard of for so long are forgotten. */
const FORGOTTEN = "interval '1 day'";

/** How many weeks are told of: those that are looked at. */
const MAX_PARTITIONS = 100;

/** A node, as it tells others of itself. */
export interface KnownNode {
  id: string;
  /** Where other nodes reach it. */
  address: string;
  /** What it shows there when it encrypts by itself. */
  certificate: string | null;
  version: string;
}

/** A node, as others know it. */
export interface SeenNode extends KnownNode {
  /** Whether it can prove that it is itself; one of an earlier version cannot. */
  proves: boolean;
}

/** Who leads, and whether that may be over: its lease has ended, or its connection is gone. */
export interface LeadSight {
  leader: SeenNode | undefined;
  generation: number;
  mayBeFree: boolean;
}

/** The nodes, how long ago the leader has renewed its lease, and what the database is used for. */
export interface NodesSight {
  nodes: { id: string; version: string; startedAt: number; seenMsAgo: number; leads: boolean }[];
  renewedMsAgo: number;
  database: { connections: number; partitions: { week: number; bytes: number }[] };
}

const QUERIES = {
  nodes: `SELECT id, version, id = (SELECT node FROM lead) AS leads,
      (extract(epoch FROM started_at) * 1000)::double precision AS "startedAt",
      greatest(0, extract(epoch FROM clock_timestamp() - seen_at) * 1000)::double precision AS "seenMsAgo"
    FROM node ORDER BY id`,
  state: `SELECT CASE WHEN until = '-infinity' THEN 0
        ELSE extract(epoch FROM until - clock_timestamp()) * 1000 END::double precision AS "leftMs",
      (SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = '${APPLICATION}') AS connections
    FROM lead`,
  partitions: `SELECT substring(relname FROM 5)::int AS week, pg_total_relation_size(oid) AS bytes FROM pg_class
    WHERE relnamespace = to_regnamespace('${SCHEMA}') AND relkind = 'r' AND relname ~ '^run_[0-9]+$'
    ORDER BY week DESC LIMIT ${MAX_PARTITIONS}`,
};

/** The nodes of a database: what one of them may do there that does not lead. */
export class NodeTable {
  readonly #address: DatabaseAddress;
  #connection: Promise<PostgresConnection>;
  #onNews: (news: NodeNews) => void = () => {};

  private constructor(address: DatabaseAddress, connection: PostgresConnection) {
    this.#address = address;
    this.#connection = Promise.resolve(connection);
  }

  /** Brings the database to this version. Raises a `StoreError` when it cannot be used; then it is as it was. */
  static async open(url: string): Promise<NodeTable> {
    const address = databaseAddress(url);
    let connection: PostgresConnection | undefined;
    try {
      connection = await PostgresConnection.open(address);
      await migrate(connection);
      const table = new NodeTable(address, connection);
      await table.#listen(connection);
      return table;
    } catch (error) {
      await connection?.end();
      throw storeErrorFor(error, address.shown);
    }
  }

  /** Tell others of a node. */
  async keep({ id, address, certificate, version }: KnownNode): Promise<void> {
    await this.#ask(
      `INSERT INTO node (id, address, certificate, version, started_at, seen_at, proves_since)
        VALUES ($1, $2, $3, $4, now(), now(), now()) ON CONFLICT (id) DO UPDATE
        SET address = $2, certificate = $3, version = $4, started_at = now(), seen_at = now(), proves_since = now()`,
      [id, address, certificate, version],
    );
    await this.#ask(`DELETE FROM node WHERE seen_at < now() - ${FORGOTTEN}`);
    await this.tell({ kind: 'come', id });
  }

  /** Call this with what nodes tell. What is told while the connection is gone is missed: who has to know looks as well. */
  onNews(listener: (news: NodeNews) => void): void {
    this.#onNews = listener;
  }

  /** Tell all nodes at once. */
  async tell(news: NodeNews): Promise<void> {
    await this.#ask('SELECT pg_notify($1, $2)', [NEWS_CHANNEL, JSON.stringify(news)]);
  }

  /** The node is there. */
  async see(id: string): Promise<void> {
    await this.#ask('UPDATE node SET seen_at = now() WHERE id = $1', [id]);
  }

  async remove(id: string): Promise<void> {
    await this.#ask('DELETE FROM node WHERE id = $1', [id]);
  }

  /** All that were heard of lately. */
  list(): Promise<SeenNode[]> {
    return this.#ask(
      `SELECT id, address, certificate, version, coalesce(proves_since = started_at, false) AS proves FROM node ORDER BY id`,
    );
  }

  async lead(): Promise<LeadSight> {
    const [state] = await this.#ask<LeadState>(LEAD_STATE);
    if (!state) throw new Error('the row of the lead is missing');
    const { generation, holder, isLapsed, node } = state;
    const nodes = isLapsed ? [] : await this.list();
    return {
      generation,
      leader: nodes.find(({ id }) => id === node),
      mayBeFree: isLapsed || holder === null,
    };
  }

  /** What people want to know of nodes, lease and database. */
  async look(): Promise<NodesSight> {
    const nodes = await this.#ask<NodesSight['nodes'][number]>(QUERIES.nodes);
    const [state] = await this.#ask<{ leftMs: number; connections: number }>(QUERIES.state);
    const { leftMs, connections } = state ?? { leftMs: 0, connections: 0 };
    const weeks = await this.#ask<{ week: number; bytes: number }>(QUERIES.partitions);
    const partitions = weeks.map(({ week, bytes }) => ({ week: week * WEEK_MS, bytes }));
    return { nodes, renewedMsAgo: Math.max(0, LEASE_MS - leftMs), database: { connections, partitions } };
  }

  /** What nodes prove themselves by to each other. */
  async secret(): Promise<string> {
    const [row] = await this.#ask<{ value: string }>('SELECT value FROM node_secret');
    if (!row) throw new Error('the secret of the nodes is missing');
    return row.value;
  }

  /** Every node may let in the programs of its own machine. */
  get devices(): Pick<Devices, 'authenticate' | 'add' | 'createLink'> {
    const devices = new SqlDevices(new SqlAudit());
    return {
      authenticate: (token) => this.#work(() => devices.authenticate(token)),
      add: (grant, id) => this.#work(() => devices.add(grant, id)),
      createLink: (grant, lifetimeMs, by) => this.#work(() => devices.createLink(grant, lifetimeMs, by)),
    };
  }

  async close(): Promise<void> {
    await (await this.#connection.catch(() => undefined))?.end();
  }

  async #ask<Row>(text: string, values?: readonly (string | null)[]): Promise<Row[]> {
    try {
      return await (await this.#connected()).ask<Row>(text, values);
    } catch (error) {
      throw storeErrorFor(error, this.#address.shown);
    }
  }

  async #work<Result>(work: () => Steps<Result>): Promise<Result> {
    try {
      const connection = await this.#connected();
      return await connection.transaction(() => connection.work(work()));
    } catch (error) {
      throw storeErrorFor(error, this.#address.shown);
    }
  }

  async #connected(): Promise<PostgresConnection> {
    const connection = await this.#connection.catch(() => undefined);
    if (connection && !connection.isEnded) return connection;
    this.#connection = PostgresConnection.open(this.#address).then((opened) => this.#listen(opened));
    return this.#connection;
  }

  async #listen(connection: PostgresConnection): Promise<PostgresConnection> {
    await connection.listen(NEWS_CHANNEL, (told) => {
      const news = nodeNewsIn(told);
      if (news) this.#onNews(news);
    });
    return connection;
  }
}

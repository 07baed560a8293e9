import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseAddress } from './database-address.ts';
import { LEASE_MS } from './lead.ts';
import { PostgresConnection } from './postgres-connection.ts';

/** How often a lease is renewed, and how soon after a failure. */
const RENEW_MS = LEASE_MS / 5;
const RETRY_MS = 200;

/** Renews the lease of the leading node, over a connection of its own: no query, however long, keeps it from doing so. */
export class LeaseKeeper {
  readonly #address: DatabaseAddress;
  readonly #generation: number;
  readonly #onLost: () => void;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #connection: PostgresConnection | undefined;
  #renewing: Promise<boolean> | undefined;

  /** `onLost` is called once, when another node leads. */
  constructor(address: DatabaseAddress, generation: number, onLost: () => void) {
    this.#address = address;
    this.#generation = generation;
    this.#onLost = onLost;
    this.#running = this.#run();
  }

  /** Renew the lease, one that has ended as well as long as nobody else has taken the lead. Says whether it is still ours. */
  renew(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Give the lead back: whoever waits for it need not wait for the end of the lease. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    const text = "UPDATE lead SET until = '-infinity' WHERE generation = $1";
    // A database that is away finds out by itself.
    await this.#connection?.ask(text, [this.#generation]).catch(() => {});
    await this.#connection?.end();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      let wait = RENEW_MS;
      try {
        if (!(await this.renew())) return this.#onLost();
      } catch {
        // The database is away, and nobody can take the lead there.
        wait = RETRY_MS;
      }
      await pause(wait, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #renew(): Promise<boolean> {
    if (!this.#connection || this.#connection.isEnded)
      this.#connection = await PostgresConnection.open(this.#address);
    const rows = await this.#connection.ask(
      `UPDATE lead SET until = clock_timestamp() + $1 * interval '1 millisecond' WHERE generation = $2 RETURNING 1`,
      [LEASE_MS, this.#generation],
    );
    return rows.length > 0;
  }
}

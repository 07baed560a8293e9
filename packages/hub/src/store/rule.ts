import type { HubRule } from '@signalbox/protocol/hub';

/** A rule as it is kept. */
export type StoredRule = Omit<HubRule, 'isStored'>;

/** The rules that decide before people are asked. One for a session goes with it. */
export interface Rules {
  /** Raises `STORE_SESSION_NOT_FOUND`, or `STORE_LIMIT` when there are as many as there may be. */
  create(rule: StoredRule): Promise<StoredRule>;
  /** All of them, oldest first; one that cannot be read is left out. */
  list(): Promise<StoredRule[]>;
  /** Gives what it was. Raises `STORE_NOT_FOUND`. */
  remove(id: string): Promise<StoredRule>;
}

import type { ForgottenKind, StoreSize } from '@signalbox/hub/store';
import type { Row, Tables } from './tables.ts';

/** Takes away what is old. */
export class MemoryRetention {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  olderThan(session: string, time: number): number {
    const { lines, trimmed } = this.#tables.session(session);
    const first = lines.findIndex(({ entry }) => entry.time >= time);
    return trimmed + (first === -1 ? lines.length : first);
  }

  trim(session: string, upTo: number): void {
    const { lines, trimmed } = this.#tables.session(session);
    const last = Math.min(upTo, trimmed + lines.length);
    if (last <= trimmed) return;
    const updated = this.#tables.nextPosition();
    this.#tables.change(session, { trimmed: last, lines: lines.slice(last - trimmed), updated });
  }

  forget(kind: ForgottenKind, time: number): number {
    const { prompts, permissions, audit, devices } = this.#tables;
    switch (kind) {
      case 'prompts':
        return this.#forget(prompts, ({ prompt: { state, admittedAt } }) => {
          return state !== 'waiting' && state !== 'taken' && admittedAt < time;
        });
      case 'permissions':
        return this.#forget(permissions, ({ state, closedAt, isDelivered }) => {
          const isEnded = state !== 'open' && (state !== 'answered' || isDelivered);
          return isEnded && (closedAt ?? time) < time;
        });
      case 'audit':
        return this.#forget(audit, (entry) => entry.time < time);
      case 'devices':
        return this.#forget(devices, ({ device: { revokedAt } }) => (revokedAt ?? time) < time);
    }
  }

  size(): StoreSize {
    return { fileBytes: 0, usedBytes: 0 };
  }

  #forget<Key, Value>(table: Map<Key, Row<Value>>, isOld: (value: Value) => boolean): number {
    const keys = [...table].flatMap(([key, { value }]) => (isOld(value) ? [key] : []));
    for (const key of keys) this.#tables.remove(table, key);
    return keys.length;
  }
}

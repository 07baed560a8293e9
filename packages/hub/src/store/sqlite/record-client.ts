import type { Cursor } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { Append, Appended, Resumption, SessionRecord, Window } from '../record.ts';
import { packAppend, transferOf } from './packed-lines.ts';
import { unpackWindow } from './packed-window.ts';
import type { SqliteRecord } from './sqlite-record.ts';
import type { Caller } from './store-parts.ts';

/** The record as its users see it: lines are packed and unpacked here, on their thread. */
export class RecordClient implements SessionRecord {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async append(batch: readonly Append[]): Promise<Appended[]> {
    const packed = batch.map(packAppend);
    return this.#call('append', [packed], packed.flatMap(transferOf));
  }

  async tail(session: string, limit?: number): Promise<Window> {
    return unpackWindow(await this.#call('tail', [session, limit]));
  }

  async window(session: string, from: number, limit?: number): Promise<Window> {
    return unpackWindow(await this.#call('window', [session, from, limit]));
  }

  async windowBefore(session: string, before: number, limit?: number): Promise<Window> {
    return unpackWindow(await this.#call('windowBefore', [session, before, limit]));
  }

  async resume(session: string, cursor: Cursor, limit?: number): Promise<Resumption> {
    const resumption = await this.#call('resume', [session, cursor, limit]);
    return resumption.state === 'reset' ? resumption : { state: 'resumed', ...unpackWindow(resumption) };
  }

  locate(session: string, uuid: string): Promise<number | undefined> {
    return this.#call('locate', [session, uuid]);
  }

  position(session: string): Promise<LinkPosition | undefined> {
    return this.#call('position', [session]);
  }

  async #call<Name extends keyof SqliteRecord>(
    method: Name,
    values: Parameters<SqliteRecord[Name]>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<ReturnType<SqliteRecord[Name]>> {
    const value = await this.#caller({ part: 'record', method, values }, transfer);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the method of this name ran on the other side
    return value as ReturnType<SqliteRecord[Name]>;
  }
}

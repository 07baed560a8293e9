import type { Cursor } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { Resumption, SessionRecord, Window } from '../record.ts';
import type { Caller } from './call.ts';
import { DamagedEntries } from './damaged-entries.ts';
import { type PackedRecord, type PackedWindow, unpackWindow } from './packed-window.ts';

/** The record as its users see it: lines are packed and unpacked here, on their thread. */
export class RecordClient implements SessionRecord {
  readonly #caller: Caller;
  readonly #damaged = new DamagedEntries();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async tail(session: string, limit?: number): Promise<Window> {
    return this.#unpack(session, await this.#call('tail', [session, limit]));
  }

  async window(session: string, from: number, limit?: number): Promise<Window> {
    return this.#unpack(session, await this.#call('window', [session, from, limit]));
  }

  async windowBefore(session: string, before: number, limit?: number): Promise<Window> {
    return this.#unpack(session, await this.#call('windowBefore', [session, before, limit]));
  }

  async resume(session: string, cursor: Cursor, limit?: number): Promise<Resumption> {
    const resumption = await this.#call('resume', [session, cursor, limit]);
    return resumption.state === 'reset'
      ? resumption
      : { state: 'resumed', ...this.#unpack(session, resumption) };
  }

  locate(session: string, uuid: string): Promise<number | undefined> {
    return this.#call('locate', [session, uuid]);
  }

  position(session: string): Promise<LinkPosition | undefined> {
    return this.#call('position', [session]);
  }

  get damaged(): number {
    return this.#damaged.count;
  }

  onDamaged(listener: (session: string, seq: number) => void): () => void {
    return this.#damaged.listen(listener);
  }

  #unpack(session: string, packed: PackedWindow): Window {
    const window = unpackWindow(packed);
    this.#damaged.lookAt(session, window.entries);
    return window;
  }

  async #call<Name extends keyof PackedRecord>(
    method: Name,
    values: Parameters<PackedRecord[Name]>,
  ): Promise<ReturnType<PackedRecord[Name]>> {
    const value = await this.#caller({ part: 'record', method, values });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the method of this name ran on the other side
    return value as ReturnType<PackedRecord[Name]>;
  }
}

import type { Call, CallGroup } from './call.ts';

/** Carries out calls where the database is; what is in `transfer` may be given away. */
export type Caller = (call: Call | CallGroup, transfer?: readonly ArrayBuffer[]) => Promise<unknown>;

interface GroupedCall {
  call: Call;
  transfer: readonly ArrayBuffer[];
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Makes the calls of a store's parts: each by itself, or some as one. */
export class CallMaker {
  readonly #caller: Caller;
  #group: GroupedCall[] | undefined;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  call(call: Call, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    const group = this.#group;
    if (!group) return this.#caller(call, transfer);
    return new Promise((resolve, reject) => group.push({ call, transfer, resolve, reject }));
  }

  /** All that `work` calls for before it first waits is stored as a whole, or not at all. */
  together<Result>(work: () => Result): Result {
    const group: GroupedCall[] = [];
    this.#group = group;
    let result: Result;
    try {
      result = work();
    } finally {
      this.#group = undefined;
    }
    void this.#send(group);
    return result;
  }

  async #send(group: readonly GroupedCall[]): Promise<void> {
    const calls = { together: group.map(({ call }) => call) };
    try {
      const values = await this.#caller(
        calls,
        group.flatMap(({ transfer }) => transfer),
      );
      for (const [index, { resolve }] of group.entries())
        resolve(Array.isArray(values) ? values[index] : undefined);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

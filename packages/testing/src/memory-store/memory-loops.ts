import {
  type LoopAndIteration,
  LoopExistsError,
  RecordNotFoundError,
  type StoredIteration,
  type StoredLoop,
} from '@signalbox/hub/store';
import type { Page, PageRequest } from '@signalbox/protocol/hub';
import type { LoopState } from '@signalbox/protocol/loop';
import { pageOf } from './page.ts';
import { inOrder, type Tables } from './tables.ts';

/** Loops and their iterations. */
export class MemoryLoops {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  create(loop: StoredLoop): void {
    if (this.#tables.loops.has(loop.id)) throw new LoopExistsError(loop.id);
    this.#tables.put(this.#tables.loops, loop.id, loop);
  }

  save(loop: StoredLoop, iteration?: StoredIteration): void {
    const { id } = loop;
    if (!this.#tables.loops.has(id)) throw new RecordNotFoundError(`loop ${id}`);
    this.#tables.put(this.#tables.loops, id, loop);
    if (!iteration) return;
    const others = this.#iterationsOf(id).filter(({ number }) => number !== iteration.number);
    const all = [...others, iteration].toSorted((one, other) => one.number - other.number);
    this.#tables.put(this.#tables.iterations, id, all);
  }

  get(id: string): LoopAndIteration | undefined {
    const loop = this.#tables.loops.get(id)?.value;
    return loop && { loop, iteration: this.#iterationsOf(id).at(-1) ?? null };
  }

  list({ states, ...request }: PageRequest & { states?: readonly LoopState[] } = {}): Page<LoopAndIteration> {
    const rows = inOrder(this.#tables.loops).flatMap(({ number, value: loop }) => {
      const iteration = this.#iterationsOf(loop.id).at(-1) ?? null;
      return states && !states.includes(loop.state) ? [] : [{ number, value: { loop, iteration } }];
    });
    return pageOf(rows, request, 'newest');
  }

  iterations(id: string, request: PageRequest = {}): Page<StoredIteration> {
    const rows = this.#iterationsOf(id).map((value) => ({ number: value.number, value }));
    return pageOf(rows, request, 'newest');
  }

  remove(id: string): void {
    this.#tables.remove(this.#tables.loops, id);
    this.#tables.remove(this.#tables.iterations, id);
  }

  #iterationsOf(id: string): readonly StoredIteration[] {
    return this.#tables.iterations.get(id)?.value ?? [];
  }
}

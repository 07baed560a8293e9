import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import { type Author, type Loop, type LoopChange, type LoopLaunch, pagesOf } from '@signalbox/protocol/hub';
import { LOOP_STATES, type LoopAct, type LoopState } from '@signalbox/protocol/loop';
import type { StoredLoop } from '../store/loop.ts';
import { LoopExistsError, RecordNotFoundError } from '../store/store-errors.ts';
import { LiveLoop } from './live-loop.ts';
import { LoopEndedError, LoopLimitError, LoopUnderWayError } from './loop-errors.ts';
import type { LoopParts } from './loop-parts.ts';
import { loopView } from './loop-view.ts';

const ALIVE: readonly LoopState[] = LOOP_STATES.filter((state) => state !== 'ended');

/** The loops that have not ended. */
export class LiveLoops {
  readonly #parts: LoopParts;
  readonly #loops = new Map<string, LiveLoop>();
  readonly #listeners = new Set<(loop: Loop) => void>();
  readonly #removalListeners = new Set<(id: string) => void>();
  #state: 'open' | 'closed' = 'open';

  constructor(parts: Omit<LoopParts, 'onChange'>) {
    this.#parts = { ...parts, onChange: (loop) => this.#changed(loop) };
  }

  /** Go on with what an earlier process of the hub has left. */
  async begin(): Promise<void> {
    const { loops } = this.#parts.store;
    await this.#forgetLeft();
    for await (const page of pagesOf((from) => loops.list({ states: ALIVE, ...from })))
      for (const known of page) {
        if (this.#state === 'closed') return;
        if (!this.#loops.has(known.loop.id))
          this.#add(known.loop.id, new LiveLoop(this.#parts, known, { isRecovered: true }));
      }
  }

  /** What it would start, with the whole path of its folder. Raises `AGENT_NOT_FOUND` or `FOLDER_NOT_FOUND`. */
  check(launch: LoopLaunch): LoopLaunch {
    return this.#parts.launches.check(launch);
  }

  /** Raises `LOOP_LIMIT` or `LOOP_EXISTS`. */
  async create(loop: StoredLoop): Promise<Loop> {
    if (this.#loops.has(loop.id)) throw new LoopExistsError(loop.id);
    if (this.#loops.size >= LIMITS.loopsUnderWay.most) throw new LoopLimitError();
    const live = new LiveLoop(this.#parts, { loop, iteration: null });
    // Its place is taken before anybody can take another one.
    this.#loops.set(loop.id, live);
    try {
      await this.#parts.store.loops.create(loop);
    } catch (error) {
      this.#loops.delete(loop.id);
      throw error;
    }
    this.#tell(live.view);
    this.#add(loop.id, live);
    return live.view;
  }

  /** Raises `STORE_NOT_FOUND`. */
  async get(id: string): Promise<Loop> {
    const live = this.#loops.get(id);
    if (live) return live.view;
    const known = await this.#parts.store.loops.get(id);
    if (!known) throw new RecordNotFoundError(`loop ${id}`);
    return loopView(known);
  }

  /** Raises `STORE_NOT_FOUND` or `LOOP_ENDED`. */
  async act(id: string, act: LoopAct, by: string): Promise<Loop> {
    return (await this.#live(id)).act(act, by);
  }

  /** Raises `STORE_NOT_FOUND`, `LOOP_ENDED` or `LOOP_CHANGED`. */
  async edit(id: string, change: LoopChange, author: Author): Promise<Loop> {
    return (await this.#live(id)).edit(change, author);
  }

  /** Forget one that has ended. Raises `STORE_NOT_FOUND` or `LOOP_UNDER_WAY`. */
  async remove(id: string): Promise<void> {
    const { state } = await this.get(id);
    if (state !== 'ended') throw new LoopUnderWayError(id);
    await this.#parts.store.loops.remove(id);
    for (const listener of this.#removalListeners) listener(id);
  }

  /** The loop for which the agent of a session works at the moment. */
  workingIn(session: string): Loop | undefined {
    for (const live of this.#loops.values()) if (live.session === session) return live.view;
    return undefined;
  }

  /** Hear of every loop that is new or changes; returns the way to stop it. */
  onLoop(listener: (loop: Loop) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hear of every loop that is no more; returns the way to stop it. */
  onRemoved(listener: (id: string) => void): () => void {
    this.#removalListeners.add(listener);
    return () => this.#removalListeners.delete(listener);
  }

  /** All of them stay as they are, for the next hub to go on with. */
  async close(): Promise<void> {
    this.#state = 'closed';
    await Promise.all([...this.#loops.values()].map((loop) => loop.close()));
  }

  /** A hub that was killed over the end of a loop has left what it compared folders with. */
  async #forgetLeft(): Promise<void> {
    const { scratch, store } = this.#parts;
    for (const id of await readdir(scratch).catch(() => [])) {
      const isAlive = ((await store.loops.get(id))?.loop.state ?? 'ended') !== 'ended';
      if (!isAlive) await rm(join(scratch, id), { recursive: true, force: true }).catch(() => {});
    }
  }

  async #live(id: string): Promise<LiveLoop> {
    const live = this.#loops.get(id);
    if (live) return live;
    await this.get(id);
    throw new LoopEndedError(id);
  }

  #add(id: string, live: LiveLoop): void {
    this.#loops.set(id, live);
    live.go();
  }

  #changed(loop: Loop): void {
    if (loop.state === 'ended') this.#loops.delete(loop.id);
    this.#tell(loop);
  }

  #tell(loop: Loop): void {
    for (const listener of this.#listeners) listener(loop);
  }
}

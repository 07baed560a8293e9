import { everyPage, type HubApi, type HubStream, type Loop } from 'signalbox/hub';
import { nextFrame } from './next-frame.ts';

/** The loops of the hub, newest first: told at most once a frame. */
export class LoopFeed {
  readonly #api: HubApi;
  readonly #loops = new Map<string, Loop>();
  readonly #listeners = new Set<() => void>();
  #view: readonly Loop[] = [];
  #frame: 'none' | 'asked' = 'none';

  constructor(api: HubApi, stream: HubStream) {
    this.#api = api;
    stream.watchLoops(
      (loop) => this.put(loop),
      (id) => this.forget(id),
    );
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): readonly Loop[] => this.#view;

  /** What the stream has told meanwhile is newer than the list. */
  async load(): Promise<void> {
    const gone = new Set(this.#loops.keys());
    for await (const page of everyPage((from) => this.#api.loops(from)))
      for (const loop of page) {
        gone.delete(loop.id);
        this.put(loop);
      }
    for (const id of gone) this.forget(id);
  }

  put(loop: Loop): void {
    if ((this.#loops.get(loop.id)?.version ?? 0) >= loop.version) return;
    this.#loops.set(loop.id, loop);
    this.#changed();
  }

  forget(id: string): void {
    if (this.#loops.delete(id)) this.#changed();
  }

  #changed(): void {
    if (this.#frame === 'asked') return;
    this.#frame = 'asked';
    nextFrame(() => {
      this.#frame = 'none';
      this.#view = [...this.#loops.values()].toSorted((one, other) => other.createdAt - one.createdAt);
      for (const listener of this.#listeners) listener();
    });
  }
}

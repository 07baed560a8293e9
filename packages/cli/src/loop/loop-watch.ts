import { messageOf } from '@signalbox/protocol';
import { iterationWords, loopWords } from '@signalbox/protocol/loop';
import type { HubApi, HubStream, Loop, LoopIteration } from 'signalbox/hub';
import { everyItem } from '../hub/every-item.ts';
import { shortId } from '../hub/pick-session.ts';
import { commandHere } from '../own-command.ts';
import type { IterationView } from './iteration-view.ts';
import { LOOP_CODE } from './loop-code.ts';

/** Follows a loop: shows each iteration while it runs, and sums it up when it is over. */
export class LoopWatch {
  readonly #api: HubApi;
  readonly #view: IterationView;
  readonly #stopWatching: () => void;
  readonly ended: Promise<number>;
  #end: (code: number) => void = () => {};
  #loop: Loop;
  /** What was told last of it, and the last iterations that were summed up and checked. */
  #told: { state: Loop['state'] | undefined; iteration: number; checked: number } = {
    state: undefined,
    iteration: 0,
    checked: 0,
  };
  /** The first iteration that is shown; of those that were over when the watch began there are only sums. */
  readonly #first: number;
  #work: Promise<void> = Promise.resolve();

  constructor(api: HubApi, stream: HubStream, loop: Loop, view: IterationView) {
    this.#api = api;
    this.#view = view;
    this.#loop = loop;
    this.#first = loop.current?.step === 'over' ? loop.iteration + 1 : loop.iteration;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#stopWatching = stream.watchLoops(
      (changed) => changed.id === loop.id && this.#take(changed),
      (id) => id === loop.id && this.#gone(),
      () => this.#catchUp(),
    );
    this.#show(loop);
  }

  get state(): Loop['state'] {
    return this.#loop.state;
  }

  close(): void {
    this.#stopWatching();
  }

  #take(loop: Loop): void {
    if (loop.version > this.#loop.version) this.#show(loop);
  }

  /** It may have gone on before it was watched, and what could not be told because of a break has to be told now. */
  #catchUp(): void {
    this.#api.loop(this.#loop.id).then(
      (now) => this.#show(now),
      (error: unknown) => this.#view.note(messageOf(error)),
    );
  }

  #show(loop: Loop): void {
    if (loop.version < this.#loop.version) return;
    this.#loop = loop;
    // One after the other: sums that have to be fetched keep their place.
    this.#work = this.#work
      .then(() => this.#tell(loop))
      .catch((error: unknown) => this.#view.note(messageOf(error)));
  }

  async #tell(loop: Loop): Promise<void> {
    const { current, state } = loop;
    if (current) {
      await this.#sumUpTo(loop, current);
      if (current.step === 'turn') this.#view.follow(loop, current);
      else if (current.step === 'check') this.#check(loop, current);
    }
    if (state !== this.#told.state && state === 'paused') this.#view.note(pauseWords(loop));
    if (state !== this.#told.state && state === 'ended') this.#over(loop);
    this.#told.state = state;
  }

  #check({ spec }: Loop, { number }: LoopIteration): void {
    if (number === this.#told.checked) return;
    this.#told.checked = number;
    this.#view.note(`checking: ${spec.untilCommand}`);
  }

  /** Iterations that nobody told of, as during a break of the connection, are asked for. */
  async #sumUpTo(loop: Loop, current: LoopIteration): Promise<void> {
    const { id, spec } = loop;
    const last = current.step === 'over' ? current.number : current.number - 1;
    if (last <= this.#told.iteration) return;
    const isNext = last === this.#told.iteration + 1 && current.number === last;
    const iterations = isNext ? [current] : await everyItem((page) => this.#api.loopIterations(id, page));
    for (const iteration of iterations.toReversed()) {
      if (iteration.number <= this.#told.iteration || iteration.number > last) continue;
      if (iteration.number >= this.#first) await this.#view.finish(loop, iteration);
      this.#told.iteration = iteration.number;
      this.#view.sum(
        `${iteration.number}/${spec.maxIterations} · ${iterationWords(iteration)}`,
        iteration.how === 'failed' || iteration.check === 'failed' ? iteration.text : '',
        { type: 'iteration', loop: id, ...iteration },
      );
    }
  }

  #over(loop: Loop): void {
    const { end, reason, spec, createdAt, updatedAt, changes } = loop;
    const { maxIterations } = spec;
    const took = loopWords(loop, { maxIterations, durationMs: updatedAt - createdAt, changes });
    this.#view.sum(`${end} · ${took}`, reason?.message ?? '', { type: 'loop', ...loop });
    this.#end(LOOP_CODE[end ?? 'failed']);
  }

  #gone(): void {
    this.#view.note('the loop was removed');
    this.#end(LOOP_CODE.failed);
  }
}

function pauseWords({ id, reason }: Loop): string {
  const resume = commandHere(`loops resume ${shortId(id)}`);
  return `paused: ${reason?.message ?? ''} ${resume} goes on; Ctrl-C stops the loop.`;
}

import { exitWords, messageOf } from '@signalbox/protocol';
import type { LoopSpec } from '@signalbox/protocol/hub';
import { iterationTitle, type LoopTurn } from '@signalbox/protocol/loop';
import { settledWithin } from '@signalbox/transport';
import type { LiveSession } from '../sessions/live-session.ts';
import type { StoredIteration } from '../store/loop.ts';
import { SessionNotFoundError, StoreError } from '../store/store-errors.ts';
import type { LoopParts } from './loop-parts.ts';
import { TurnReader } from './turn-reader.ts';

/** How long an agent may take to end a turn that it was told to stop. */
const INTERRUPT_MS = 10_000;

/** What the store cannot do now and may do later: it says nothing about the iteration. */
const PASSING = [
  'STORE_FULL',
  'STORE_BUSY',
  'STORE_CLOSED',
  'STORE_FAILED',
  'STORE_READ_ONLY',
  'STORE_UNREACHABLE',
  'STORE_UNCERTAIN',
];

/** What an {@link IterationTurn} runs. */
export interface TurnSpec {
  loop: string;
  spec: LoopSpec;
  iteration: StoredIteration;
  /** What the agent of a session that is kept has cost so far. */
  costBefore: number;
  /** What may be spent. */
  budgetUsd: number | undefined;
  /** A hub before this one may have done any part of it. */
  isRecovered: boolean;
  /** Fires when the turn is to be stopped. */
  stop: AbortSignal;
  /** Fires when the hub leaves: nothing is undone, and the next one goes on. */
  leave: AbortSignal;
}

/** The turn of an iteration, from the start of its agent to its result. Run again after a kill, it does nothing twice. */
export class IterationTurn {
  readonly #parts: LoopParts;
  readonly #turn: TurnSpec;
  #isRestarted = false;

  constructor(parts: LoopParts, turn: TurnSpec) {
    this.#parts = parts;
    this.#turn = turn;
  }

  /** Settles with undefined when the hub leaves; raises what the store cannot do at the moment. */
  async run(): Promise<LoopTurn | undefined> {
    const { iteration, stop } = this.#turn;
    try {
      await this.#startAgent();
      if (stop.aborted) return ended('interrupted', 'It was stopped before it began.');
      return await this.#parts.sessions.use(iteration.session, async (live) => {
        const { promptId: clientId, author, prompt: content } = iteration;
        await live.admit({ clientId, author, content, delivery: 'queue' });
        return this.#untilEnd(live);
      });
    } catch (error) {
      if (error instanceof StoreError && PASSING.includes(error.code)) throw error;
      return ended('failed', messageOf(error));
    }
  }

  async #startAgent(): Promise<void> {
    const { sessions, store, launches } = this.#parts;
    const { loop: id, spec, iteration, budgetUsd } = this.#turn;
    const { session, number, author } = iteration;
    const title = iterationTitle(spec.title, number, spec.maxIterations);
    const loop = { id, iteration: number };
    const isKept = spec.keepSession && (await store.launches.get(session)) !== undefined;
    if (!isKept) {
      const args = budgetUsd === undefined ? {} : { args: [`--max-budget-usd=${budgetUsd}`] };
      await launches.launch(author, { id: session, title, loop, launch: { ...spec.launch, ...args } });
      return;
    }
    const { state } = await sessions.use(session, (live) => live.note({ title, loop }));
    if (state === 'exited') await launches.restart(author, session);
  }

  async #untilEnd(live: LiveSession): Promise<LoopTurn | undefined> {
    const { sessions, store } = this.#parts;
    const { costBefore, iteration, stop, leave } = this.#turn;
    const reader = new TurnReader(store.record, live.id, iteration.promptId);
    let hear = (): void => {};
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    let isGone = false;
    const stops = [
      sessions.onSession(({ id }) => id === live.id && hear()),
      sessions.onRemoved((id) => {
        isGone ||= id === live.id;
        hear();
      }),
    ];
    const onSignal = (): void => hear();
    for (const signal of [stop, leave]) signal.addEventListener('abort', onSignal);
    try {
      for (let phase: 'running' | 'stopping' = 'running'; ; ) {
        // What happens while it is looked must not be missed.
        const news = new Promise<void>((resolve) => {
          hear = resolve;
        });
        const { state } = live.session;
        const turn = await reader.read(costBefore);
        if (leave.aborted) return undefined;
        if (turn) return turn;
        if (isGone) throw new SessionNotFoundError(live.id);
        if (state === 'exited' && !(await this.#startedAgain(reader))) return this.#exit(live, reader);
        if (await this.#isCancelled()) return ended('interrupted', 'Somebody cancelled the prompt.');
        if (stop.aborted && phase === 'running') {
          phase = 'stopping';
          this.#interrupt(live, reader, over);
        }
        await news;
      }
    } finally {
      end();
      for (const leaveOff of stops) leaveOff();
      for (const signal of [stop, leave]) signal.removeEventListener('abort', onSignal);
    }
  }

  /** A hub that was killed while it started the agent has left one that never got its prompt. */
  async #startedAgain(reader: TurnReader): Promise<boolean> {
    const { iteration, isRecovered, stop } = this.#turn;
    if (!isRecovered || this.#isRestarted || reader.hasBegun || stop.aborted) return false;
    this.#isRestarted = true;
    await this.#parts.launches.restart(iteration.author, iteration.session);
    return true;
  }

  async #isCancelled(): Promise<boolean> {
    return (await this.#parts.store.inbox.get(this.#turn.iteration.promptId))?.state === 'cancelled';
  }

  #exit({ session: { exit } }: LiveSession, { endedBy }: TurnReader): LoopTurn {
    if (endedBy !== undefined) return ended('interrupted', `${endedBy} ended the agent.`);
    const words = exitWords(exit ?? { code: null, signal: null });
    return ended('failed', [words, exit?.stderr.trim()].filter(Boolean).join(': '));
  }

  /** Ask for the end of the turn; an agent that has none, or does not end it, is ended itself. */
  #interrupt(live: LiveSession, { hasBegun }: TurnReader, over: Promise<void>): void {
    const { launches, onTrouble } = this.#parts;
    const asked = async (): Promise<boolean> => {
      if (!hasBegun) return false;
      await live.request({ subtype: 'interrupt' }, { timeoutMs: INTERRUPT_MS });
      return settledWithin(over, INTERRUPT_MS);
    };
    const work = asked()
      .catch(() => false)
      .then((isOver) => (isOver ? undefined : launches.stop(live.id)));
    live.hold(work).catch((error: unknown) => onTrouble(error, live.id));
  }
}

function ended(how: LoopTurn['how'], text: string): LoopTurn {
  return { how, text, turns: 0, costUsd: 0 };
}

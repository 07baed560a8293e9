import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import type { Author, Loop, LoopChange } from '@signalbox/protocol/hub';
import {
  afterLoopEvent,
  DEFAULT_UNTIL_SECONDS,
  type LoopAct,
  type LoopEvent,
  type LoopIteration,
  type LoopTurn,
  NEW_ITERATION,
  nextAction,
} from '@signalbox/protocol/loop';
import { settledWithin } from '@signalbox/transport';
import {
  checkCondition,
  endLeftCondition,
  folderChanges,
  folderState,
  readLoopPrompt,
} from '@signalbox/transport/loop';
import type { LoopAndIteration, StoredIteration, StoredLoop } from '../store/loop.ts';
import { changedSpec } from './changed-spec.ts';
import { IterationTurn } from './iteration-turn.ts';
import { LoopChangedError, LoopEndedError } from './loop-errors.ts';
import type { LoopParts } from './loop-parts.ts';
import { loopView } from './loop-view.ts';

/** How long a loop rests that could not go on: what failed may be over then. */
const RETRY_MS = 1000;

/** How long a hub that leaves waits for what it was doing. */
const CLOSE_MS = 500;

/** How much of an agent's last words the list of iterations has; the record has them all. */
const TEXT_LENGTH = 2000;

/** A loop that has not ended: it goes on by itself, and each step is durable before the next one begins. */
export class LiveLoop {
  readonly #parts: LoopParts;
  readonly #stop = new AbortController();
  readonly #leave = new AbortController();
  #loop: StoredLoop;
  #iteration: StoredIteration | null;
  #isRecovered: boolean;
  #changes: Promise<unknown> = Promise.resolve();
  #driving: Promise<void> | undefined;

  constructor(parts: LoopParts, { loop, iteration }: LoopAndIteration, { isRecovered = false } = {}) {
    this.#parts = parts;
    this.#loop = loop;
    this.#iteration = iteration;
    this.#isRecovered = isRecovered;
    if (loop.state === 'stopping') this.#stop.abort();
    if (isRecovered) endLeftCondition(loop.id);
  }

  get view(): Loop {
    return loopView({ loop: this.#loop, iteration: this.#iteration });
  }

  /** The session whose agent works for it at the moment. */
  get session(): string | undefined {
    return this.#loop.step === 'turn' ? this.#iteration?.session : undefined;
  }

  /** Go on, unless it does so already or has nothing to do. */
  go(): void {
    if (this.#driving || this.#leave.signal.aborted) return;
    this.#driving = this.#drive().finally(() => {
      this.#driving = undefined;
      // Something may have happened between its last look and here.
      if (nextAction(this.#loop) !== 'rest') this.go();
    });
  }

  /** Raises `LOOP_ENDED`. What does not fit, such as to pause one that is paused, changes nothing. */
  async act(act: LoopAct, by: string): Promise<Loop> {
    const event: LoopEvent = act === 'resume' ? { type: act } : { type: act, by };
    await this.#endAgentIfOver(event);
    await this.#change(() => this.#after(event));
    if (this.#loop.state === 'stopping') this.#stop.abort();
    this.go();
    return this.view;
  }

  /** Raises `LOOP_ENDED` or `LOOP_CHANGED`. Who changes what the agents are told answers for it from then on. */
  async edit({ version, ...change }: LoopChange, author: Author): Promise<Loop> {
    await this.#change(() => {
      const loop = this.#loop;
      if (version !== undefined && version !== loop.version)
        throw new LoopChangedError(loop.id, loop.version);
      const isTold = change.prompt !== undefined || change.promptFile !== undefined || change.allowAll;
      return { loop: { ...loop, spec: changedSpec(loop.spec, change), ...(isTold ? { author } : {}) } };
    });
    return this.view;
  }

  /** Leave it as it is, for the next hub to go on with. */
  async close(): Promise<void> {
    this.#leave.abort();
    // An agent that is being started is started: the next hub finds it.
    if (this.#driving) await settledWithin(this.#driving, CLOSE_MS);
  }

  async #drive(): Promise<void> {
    const { signal } = this.#leave;
    while (!signal.aborted) {
      const action = nextAction(this.#loop);
      if (action === 'rest') return;
      try {
        if (action === 'begin') await this.#begin();
        else if (action === 'turn') await this.#turn();
        else await this.#check();
      } catch (error) {
        // Somebody stopped it between two iterations.
        if (signal.aborted || error instanceof LoopEndedError) return;
        this.#parts.onTrouble(error, this.#iteration?.session);
        await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  async #begin(): Promise<void> {
    const { spec, author } = this.#loop;
    let prompt: string;
    try {
      this.#parts.launches.check(spec.launch);
      prompt = spec.promptFile === null ? (spec.prompt ?? '') : readLoopPrompt(spec.promptFile);
    } catch (error) {
      const code = error instanceof SignalboxError ? error.code : 'UNEXPECTED';
      const event: LoopEvent = { type: 'blocked', reason: { code, message: messageOf(error) } };
      await this.#endAgentIfOver(event);
      await this.#change(() => this.#after(event));
      return;
    }
    const base = await folderState(spec.launch.folder, this.#scratch);
    const kept = spec.keepSession ? this.#iteration?.session : undefined;
    const isThere = kept !== undefined && (await this.#parts.store.sessions.get(kept)) !== undefined;
    const session = isThere ? kept : randomUUID();
    this.#isRecovered = false;
    await this.#change(() => {
      const { loop } = this.#after({ type: 'begun' });
      // Somebody has paused or stopped it meanwhile.
      if (loop.iteration === this.#loop.iteration) return { loop };
      const iteration: StoredIteration = {
        ...NEW_ITERATION,
        number: loop.iteration,
        session,
        startedAt: Date.now(),
        prompt,
        promptId: randomUUID(),
        author,
        base,
      };
      return { loop: { ...loop, base: loop.base ?? base }, iteration };
    });
  }

  async #turn(): Promise<void> {
    const iteration = this.#iteration;
    const { id, spec, costUsd } = this.#loop;
    if (!iteration) return;
    const turn = await new IterationTurn(this.#parts, {
      loop: id,
      spec,
      iteration,
      costBefore: spec.keepSession ? costUsd : 0,
      budgetUsd: spec.budgetUsd === undefined ? undefined : spec.budgetUsd - costUsd,
      isRecovered: this.#isRecovered,
      stop: this.#stop.signal,
      leave: this.#leave.signal,
    }).run();
    if (!turn) return;
    this.#isRecovered = false;
    const event: LoopEvent = { type: 'turn-ended', turn };
    if (spec.keepSession) await this.#endAgentIfOver(event);
    else await this.#endAgent(iteration.session);
    const after = await folderState(spec.launch.folder, this.#scratch);
    const changes = await folderChanges(spec.launch.folder, this.#scratch, iteration.base, after);
    const all = await folderChanges(spec.launch.folder, this.#scratch, this.#loop.base, after);
    await this.#change(() => {
      const { loop } = this.#after(event);
      return {
        loop: { ...loop, changes: all },
        iteration: { ...iteration, ...endOf(turn), changes, step: loop.step },
      };
    });
  }

  async #check(): Promise<void> {
    const iteration = this.#iteration;
    const { id, spec } = this.#loop;
    if (!iteration) return;
    const { untilCommand: command, untilSeconds: seconds = DEFAULT_UNTIL_SECONDS, launch } = spec;
    const signal = AbortSignal.any([this.#stop.signal, this.#leave.signal]);
    const check =
      command === undefined
        ? ({ result: 'unmet' } as const)
        : await checkCondition({ command, folder: launch.folder, seconds, loop: id, signal });
    if (this.#leave.signal.aborted) return;
    const event: LoopEvent = { type: 'checked', check };
    await this.#endAgentIfOver(event);
    await this.#change(() => {
      const { loop } = this.#after(event);
      const text = check.result === 'failed' ? check.message : iteration.text;
      return { loop, iteration: { ...iteration, text, check: check.result, step: loop.step } };
    });
  }

  #after(event: LoopEvent): { loop: StoredLoop } {
    return { loop: { ...this.#loop, ...afterLoopEvent(this.#loop.spec, this.#loop, event) } };
  }

  /** One change after the other: each sees what the one before has left, and is durable before anybody hears of it. */
  #change(change: () => { loop: StoredLoop; iteration?: StoredIteration }): Promise<void> {
    const work = async (): Promise<void> => {
      if (this.#loop.state === 'ended') throw new LoopEndedError(this.#loop.id);
      const { loop: changed, iteration } = change();
      const now = Date.now();
      const loop = { ...changed, version: this.#loop.version + 1, updatedAt: now };
      const current = iteration ?? this.#iteration;
      const isOver = current !== null && current.endedAt === null && loop.step === 'over';
      const kept = current && isOver ? { ...current, step: loop.step, endedAt: now } : iteration;
      await this.#parts.store.loops.save(loop, kept);
      this.#loop = loop;
      this.#iteration = kept ?? this.#iteration;
      this.#parts.onChange(this.view);
      if (loop.state === 'ended') await rm(this.#scratch, { recursive: true, force: true }).catch(() => {});
    };
    const done = this.#changes.then(work);
    this.#changes = done.catch(() => {});
    return done;
  }

  /** Before the end of the loop is in the store: a hub that is killed in between comes back to it. */
  async #endAgentIfOver(event: LoopEvent): Promise<void> {
    const { spec } = this.#loop;
    const isOver = afterLoopEvent(spec, this.#loop, event).state === 'ended';
    if (isOver && spec.keepSession && this.#iteration) await this.#endAgent(this.#iteration.session);
  }

  async #endAgent(session: string): Promise<void> {
    await this.#parts.launches.stop(session).catch((error: unknown) => this.#parts.onTrouble(error, session));
  }

  get #scratch(): string {
    return join(this.#parts.scratch, this.#loop.id);
  }
}

function endOf({
  how,
  text,
  turns,
  costUsd,
}: LoopTurn): Pick<LoopIteration, 'how' | 'text' | 'turns' | 'costUsd'> {
  return { how, text: text.slice(-TEXT_LENGTH), turns, costUsd };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import {
  afterLoopEvent,
  DEFAULT_ITERATIONS,
  DEFAULT_UNTIL_SECONDS,
  type FolderState,
  type LoopEvent,
  type LoopIteration,
  type LoopProgress,
  type LoopRules,
  type LoopTurn,
  NEW_ITERATION,
  newLoop,
  nextAction,
} from '@signalbox/protocol/loop';
import { changedRules } from './check-loop.ts';
import type { LoopNews, LoopOptions, LoopResult, LoopRulesChange, LoopRun } from './loop.ts';
import type { LoopRelay } from './loop-relay.ts';
import { TurnAgent } from './turn-agent.ts';

/** A loop in this process: the machine of `protocol/loop` decides, this does what it says. */
export class AgentLoop implements LoopRun {
  readonly url: Promise<string | undefined>;
  readonly #options: LoopOptions;
  readonly #folder: string;
  readonly #relay: Promise<LoopRelay | undefined>;
  readonly #stop = new AbortController();
  readonly #iterations: LoopIteration[] = [];
  readonly #news: AsyncGenerator<LoopNews, LoopResult, undefined>;
  #rules: LoopRules;
  #progress: LoopProgress = newLoop();
  #agent: TurnAgent | undefined;
  #base: FolderState | null = null;
  #changes: LoopResult['changes'] = null;
  #wake: () => void = () => {};

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#folder = options.options?.cwd ?? process.cwd();
    this.#rules = rulesOf(options);
    this.#relay = openRelay(options);
    this.url = this.#relay.then((relay) => relay?.url);
    // Whoever reads the loop is told.
    this.url.catch(() => {});
    this.#news = this.#run();
    for (const signal of [options.signal, options.options?.abortController?.signal]) {
      if (signal?.aborted) this.stop();
      signal?.addEventListener('abort', () => this.stop(), { once: true, signal: this.#stop.signal });
    }
  }

  get progress(): LoopProgress {
    return this.#progress;
  }

  next(): Promise<IteratorResult<LoopNews, LoopResult>> {
    return this.#news.next();
  }

  async return(): Promise<IteratorResult<LoopNews, LoopResult>> {
    this.stop();
    // One that nobody began to read has nothing to end but its port.
    const last = await this.#news.return(this.#result());
    await this.#relay.then((relay) => relay?.close()).catch(() => {});
    return last;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async finish(): Promise<LoopResult> {
    for (;;) {
      const { done, value } = await this.next();
      if (done) return value ?? this.#result();
    }
  }

  pause(): void {
    this.#take({ type: 'pause' });
  }

  resume(): void {
    this.#take({ type: 'resume' });
    this.#wake();
  }

  stop(): void {
    this.#take({ type: 'stop' });
    this.#stop.abort();
    this.#wake();
  }

  edit(change: LoopRulesChange): void {
    this.#rules = changedRules(this.#rules, change);
  }

  async *#run(): AsyncGenerator<LoopNews, LoopResult, undefined> {
    const scratch = await mkdtemp(join(tmpdir(), 'signalbox-loop-'));
    try {
      await this.#relay;
      while (this.#progress.state !== 'ended') {
        const action = nextAction(this.#progress);
        if (action === 'begin') yield* this.#iteration(scratch);
        else if (action === 'check') await this.#check();
        else {
          const { reason } = this.#progress;
          const woken = new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          if (reason) yield { type: 'paused', reason };
          if (this.#progress.state === 'paused') await woken;
        }
        const current = this.#iterations.at(-1);
        if (current && current.endedAt === null && this.#progress.step === 'over') {
          current.endedAt = Date.now();
          current.step = 'over';
          yield { type: 'over', iteration: { ...current } };
        }
      }
      return this.#result();
    } finally {
      await this.#agent?.end();
      await this.#relay.then((relay) => relay?.close()).catch(() => {});
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** An iteration up to the end of its turn. */
  async *#iteration(scratch: string): AsyncGenerator<LoopNews, void, undefined> {
    const { folderChanges, folderState, readLoopPrompt } = await import('@signalbox/transport/loop');
    const { prompt = '', promptFile, keepSession } = this.#options;
    let words: string;
    try {
      words = promptFile === undefined ? prompt : readLoopPrompt(promptFile);
    } catch (error) {
      const code = error instanceof SignalboxError ? error.code : 'UNEXPECTED';
      return this.#take({ type: 'blocked', reason: { code, message: messageOf(error) } });
    }
    const before = await folderState(this.#folder, scratch);
    this.#base ??= before;
    this.#take({ type: 'begun' });
    // Somebody has paused or stopped it meanwhile.
    if (this.#progress.step !== 'turn') return;
    const iteration: LoopIteration = {
      ...NEW_ITERATION,
      number: this.#progress.iteration,
      session: '',
      startedAt: Date.now(),
    };
    this.#iterations.push(iteration);
    yield { type: 'begun', iteration: { ...iteration } };
    const turn = yield* this.#turn(iteration, words);
    if (!keepSession) await this.#endAgent();
    const after = await folderState(this.#folder, scratch);
    iteration.changes = await folderChanges(this.#folder, scratch, before, after);
    this.#changes = await folderChanges(this.#folder, scratch, this.#base, after);
    Object.assign(iteration, turn);
    this.#take({ type: 'turn-ended', turn });
    iteration.step = this.#progress.step;
  }

  async *#turn(iteration: LoopIteration, words: string): AsyncGenerator<LoopNews, LoopTurn, undefined> {
    const { keepSession = false, options = {} } = this.#options;
    const { costUsd } = this.#progress;
    const left = this.#rules.budgetUsd === undefined ? undefined : this.#rules.budgetUsd - costUsd;
    const budget = left === undefined ? {} : { maxBudgetUsd: left };
    try {
      this.#agent ??= new TurnAgent({ ...options, ...budget }, (await this.#relay)?.start);
      for await (const message of this.#agent.turn(words, this.#stop.signal)) {
        if ('session_id' in message && typeof message.session_id === 'string')
          iteration.session = message.session_id;
        yield { type: 'message', number: iteration.number, message };
      }
      return this.#agent.outcome(keepSession ? costUsd : 0, this.#stop.signal);
    } catch (error) {
      await this.#endAgent();
      const how = this.#stop.signal.aborted ? 'interrupted' : 'failed';
      return { how, text: messageOf(error), turns: 0, costUsd: 0 };
    }
  }

  async #check(): Promise<void> {
    const { checkCondition } = await import('@signalbox/transport/loop');
    const { untilCommand: command, untilSeconds: seconds = DEFAULT_UNTIL_SECONDS } = this.#rules;
    const loop = `sdk-${process.pid}-${this.#id}`;
    const check =
      command === undefined
        ? ({ result: 'unmet' } as const)
        : await checkCondition({ command, folder: this.#folder, seconds, loop, signal: this.#stop.signal });
    const current = this.#iterations.at(-1);
    if (current) current.check = check.result;
    if (current && check.result === 'failed') current.text = check.message;
    this.#take({ type: 'checked', check });
  }

  readonly #id = Math.random().toString(36).slice(2);

  async #endAgent(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    await agent?.end();
  }

  #take(event: LoopEvent): void {
    this.#progress = afterLoopEvent(this.#rules, this.#progress, event);
  }

  #result(): LoopResult {
    const { end, reason, turns, costUsd } = this.#progress;
    return {
      end: end ?? 'stopped',
      reason: reason ?? { code: 'stopped', message: 'It was stopped.' },
      iterations: this.#iterations.map((iteration) => ({ ...iteration })),
      turns,
      costUsd,
      changes: this.#changes,
    };
  }
}

function rulesOf({
  maxIterations = DEFAULT_ITERATIONS,
  untilText,
  untilCommand,
  untilSeconds,
  budgetUsd,
  pauseOnFailure,
}: LoopOptions): LoopRules {
  return {
    maxIterations,
    ...(untilText === undefined ? {} : { untilText }),
    ...(untilCommand === undefined ? {} : { untilCommand }),
    ...(untilSeconds === undefined ? {} : { untilSeconds }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(pauseOnFailure === undefined ? {} : { pauseOnFailure }),
  };
}

async function openRelay({ relay, options = {} }: LoopOptions): Promise<LoopRelay | undefined> {
  if (!relay) return undefined;
  // Most programs have no relay: they need not load what it takes.
  const { LoopRelay } = await import('./loop-relay.ts');
  return LoopRelay.open(relay, options);
}

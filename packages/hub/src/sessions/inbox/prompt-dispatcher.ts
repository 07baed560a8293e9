import type { Prompt } from '@signalbox/protocol/hub';
import type { Holds } from '../../base/holds.ts';
import type { Inbox } from '../../store/prompt.ts';
import type { SessionRecord } from '../../store/record.ts';
import { withState } from '../../store/written-prompt.ts';

/** How far behind a prompt its first effect is looked for. */
const EFFECT_WITHIN = 100;

/** Pause after a failure before delivery is tried again. */
const RETRY_MS = 1000;

/** What may go to the agent at the moment. */
export type Readiness = 'everything' | 'steering' | 'nothing';

/** Callbacks of a {@link PromptDispatcher}. */
export interface DispatcherCallbacks {
  readiness: () => Readiness;
  /** Keep the line under the name of who wrote it. */
  record: (prompt: Prompt, line: string) => Promise<void>;
  /** Settles with whether the agent has got it. */
  deliver: (line: string) => Promise<boolean>;
  onChange: (prompt: Prompt) => void;
  onTrouble: (error: unknown) => void;
}

/** Delivers a session's prompts to its agent: in order, each once, when the agent is ready. */
export class PromptDispatcher {
  readonly #inbox: Inbox;
  readonly #record: SessionRecord;
  readonly #session: string;
  readonly #holds: Holds;
  readonly #callbacks: DispatcherCallbacks;
  #state: 'idle' | 'running' | 'called-again' = 'idle';
  /** Taken and not marked, oldest first: the agent may have one that is `uncertain`, and has one that has `arrived`. */
  #underWay = new Map<string, 'uncertain' | 'arrived'>();

  constructor(
    inbox: Inbox,
    record: SessionRecord,
    session: string,
    holds: Holds,
    callbacks: DispatcherCallbacks,
  ) {
    this.#holds = holds;
    this.#inbox = inbox;
    this.#record = record;
    this.#session = session;
    this.#callbacks = callbacks;
  }

  async load(): Promise<void> {
    const prompts = await this.#inbox.list(this.#session);
    const taken = prompts.filter(({ state }) => state === 'taken');
    this.#underWay = new Map(taken.map(({ id }) => [id, 'uncertain']));
  }

  /** Look for something to deliver, after any change. */
  call(): void {
    if (this.#state !== 'idle') {
      this.#state = 'called-again';
      return;
    }
    this.#state = 'running';
    const release = this.#holds.take();
    this.#run().then(release, (error: unknown) => {
      this.#state = 'idle';
      this.#callbacks.onTrouble(error);
      const again = (): void => {
        this.call();
        release();
      };
      setTimeout(again, RETRY_MS).unref();
    });
  }

  async #run(): Promise<void> {
    while (this.#state !== 'idle') {
      this.#state = 'running';
      while (await this.#deliverNext());
      if (this.#hasBeenCalled()) continue;
      this.#state = 'idle';
    }
  }

  #hasBeenCalled(): boolean {
    return this.#state === 'called-again';
  }

  async #deliverNext(): Promise<boolean> {
    const readiness = this.#callbacks.readiness();
    if (readiness === 'nothing') return this.#settleNext();
    const prompt = await this.#next(readiness);
    if (!prompt) return false;
    this.#callbacks.onChange(prompt);
    if (!(await this.#bring(prompt))) return false;
    await this.#hasArrived(prompt);
    return true;
  }

  /** What the agent has got already needs it no more: where a budget holds all back, it would be listed as on its way until that is raised. */
  async #settleNext(): Promise<boolean> {
    const [underWay] = this.#underWay.keys();
    const prompt = underWay === undefined ? undefined : await this.#inbox.get(underWay);
    const at = prompt && (await this.#record.locate(this.#session, prompt.id));
    if (!prompt || at === undefined || !(await this.#hasEffect(prompt, at))) return false;
    await this.#hasArrived(prompt);
    return true;
  }

  async #hasArrived(prompt: Prompt): Promise<void> {
    this.#underWay.set(prompt.id, 'arrived');
    await this.#inbox.markDelivered(prompt.id);
    this.#underWay.delete(prompt.id);
    this.#callbacks.onChange(withState(prompt, 'delivered'));
  }

  /** What may have got lost on its way goes first, whatever the agent is doing. */
  async #next(readiness: Readiness): Promise<Prompt | undefined> {
    const [underWay] = this.#underWay.keys();
    if (underWay !== undefined) return this.#inbox.get(underWay);
    return this.#inbox.take(this.#session, readiness === 'steering' ? 'steer' : undefined);
  }

  /** Settles with whether the agent has got it. */
  async #bring(prompt: Prompt): Promise<boolean> {
    const line = lineOf(prompt);
    const before = this.#underWay.get(prompt.id);
    if (before === 'arrived') return true;
    // Whatever fails from here on, it is known that the agent may have it.
    this.#underWay.set(prompt.id, 'uncertain');
    const at = before && (await this.#record.locate(this.#session, prompt.id));
    // To be safe from running twice, one that has had an effect is never sent again.
    if (at !== undefined && (await this.#hasEffect(prompt, at))) return true;
    if (at === undefined) await this.#callbacks.record(prompt, line);
    return this.#callbacks.deliver(line);
  }

  /**
   * What follows a prompt that steers belongs to the turn that ran already: only an agent that names it has got it.
   * Sent once more it does no harm, because agents drop a uuid that they know.
   */
  async #hasEffect({ id, delivery }: Prompt, seq: number): Promise<boolean> {
    const { entries } = await this.#record.window(this.#session, seq + 1, EFFECT_WITHIN);
    let agent: 'same' | 'another' = 'same';
    return entries.some((entry) => {
      if (entry.kind === 'damaged' || entry.author.by !== 'agent') return false;
      if (delivery === 'steer') return entry.line.text().includes(id);
      const { type, subtype } = entry.line.head();
      if (type === 'bridge' && subtype === 'started') agent = 'another';
      // Another one may have introduced itself without having heard anything.
      const isBeginning = type === 'system' && subtype === 'init' && agent === 'same';
      return type === 'assistant' || type === 'result' || isBeginning;
    });
  }
}

/** What a person wrote goes out as it is: a strict encoder would refuse a block that it does not know. */
function lineOf({ id, content }: Prompt): string {
  const message = { role: 'user', content };
  return JSON.stringify({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid: id });
}

import type { Prompt } from '@signalbox/protocol/hub';
import type { Inbox } from '../store/prompt.ts';
import type { SessionRecord } from '../store/record.ts';

/** How far behind a prompt its first effect is looked for. */
const EFFECT_WITHIN = 100;

/** What may go to the agent at the moment. */
export type Readiness = 'everything' | 'steering' | 'nothing';

/** What a {@link Courier} asks of its session. */
export interface CourierOutlets {
  readiness: () => Readiness;
  /** Keep the line under the name of who wrote it. */
  record: (prompt: Prompt, line: string) => Promise<void>;
  /** Settles with whether the agent has got it. */
  deliver: (line: string) => Promise<boolean>;
  onChange: (prompt: Prompt) => void;
  onTrouble: (error: unknown) => void;
}

/** Brings a session's prompts to its agent: in order, each once, when the agent is ready for it. */
export class Courier {
  readonly #inbox: Inbox;
  readonly #record: SessionRecord;
  readonly #session: string;
  readonly #outlets: CourierOutlets;
  #state: 'resting' | 'walking' | 'called-again' = 'resting';
  /** Prompts that were under way when the hub or the link ended: the agent may have them. */
  #uncertain = new Set<string>();

  constructor(inbox: Inbox, record: SessionRecord, session: string, outlets: CourierOutlets) {
    this.#inbox = inbox;
    this.#record = record;
    this.#session = session;
    this.#outlets = outlets;
  }

  async load(): Promise<void> {
    const prompts = await this.#inbox.list(this.#session);
    this.#uncertain = new Set(prompts.filter(({ state }) => state === 'taken').map(({ id }) => id));
  }

  /** Something has changed: there may be something to deliver. */
  call(): void {
    if (this.#state !== 'resting') {
      this.#state = 'called-again';
      return;
    }
    this.#state = 'walking';
    this.#walk().catch((error: unknown) => {
      this.#state = 'resting';
      this.#outlets.onTrouble(error);
    });
  }

  async #walk(): Promise<void> {
    while (this.#state !== 'resting') {
      this.#state = 'walking';
      while (await this.#deliverNext());
      if (this.#hasBeenCalled()) continue;
      this.#state = 'resting';
    }
  }

  #hasBeenCalled(): boolean {
    return this.#state === 'called-again';
  }

  async #deliverNext(): Promise<boolean> {
    const readiness = this.#outlets.readiness();
    if (readiness === 'nothing') return false;
    const prompt = await this.#next(readiness);
    if (!prompt) return false;
    this.#outlets.onChange(prompt);
    if (!(await this.#bring(prompt))) {
      this.#uncertain.add(prompt.id);
      return false;
    }
    await this.#inbox.markDelivered(prompt.id);
    this.#outlets.onChange({ ...prompt, state: 'delivered' });
    return true;
  }

  /** What may have got lost on its way goes first, whatever the agent is doing. */
  async #next(readiness: Readiness): Promise<Prompt | undefined> {
    const [uncertain] = this.#uncertain;
    if (uncertain !== undefined) return this.#inbox.get(uncertain);
    return this.#inbox.take(this.#session, readiness === 'steering' ? 'steer' : undefined);
  }

  async #bring(prompt: Prompt): Promise<boolean> {
    const line = lineOf(prompt);
    const isUncertain = this.#uncertain.delete(prompt.id);
    const at = isUncertain ? await this.#record.locate(this.#session, prompt.id) : undefined;
    // To be safe from running twice, one that has had an effect is never sent again.
    if (at !== undefined && (await this.#hasEffect(at))) return true;
    if (at === undefined) await this.#outlets.record(prompt, line);
    return this.#outlets.deliver(line);
  }

  async #hasEffect(seq: number): Promise<boolean> {
    const { entries } = await this.#record.window(this.#session, seq + 1, EFFECT_WITHIN);
    return entries.some((entry) => {
      if (entry.kind === 'damaged' || entry.author.by !== 'agent') return false;
      const { type, subtype } = entry.line.head();
      return type === 'assistant' || type === 'result' || (type === 'system' && subtype === 'init');
    });
  }
}

/** What a person wrote goes out as it is: a strict encoder would refuse a block that it does not know. */
function lineOf({ id, content }: Prompt): string {
  const message = { role: 'user', content };
  return JSON.stringify({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid: id });
}

import { isJsonObject, type JsonObject, listAt, numberAt, objectAt, textAt } from '@signalbox/protocol';
import type { Use } from '../store/spend.ts';
import { isNothing, keptUse, minus, most, NO_USE, plus, tokensOf, usdAt, useOfReply, usesIn } from './use.ts';

/** How many replies may be under way at once: those of sub-agents come in between. */
const MAX_REPLIES = 64;

/** More models than anybody uses in a session; what comes after them is counted as one. */
const MAX_MODELS = 32;

const OTHER_MODELS = 'other models';
const LONGEST_NAME = 200;
const CHARACTERS_A_TOKEN = 4;

/** What a line has cost, by model. */
export interface Metered {
  uses: Map<string, Use>;
  /** The model of the turn that is over with the line; undefined while none is. */
  endedTurn: string | undefined;
}

interface Reply {
  model: string;
  use: Use;
  characters: number;
}

/** All that a meter knows. Names are whatever an agent says: an object would have some of them already. */
interface MeterState {
  /** Every model that was counted by its name. */
  models: Set<string>;
  /** Counted since the agent last summed up, by model. */
  since: Map<string, Use>;
  replies: Map<string, Reply>;
  /** As an agent of earlier versions summed up last, since its process began. */
  sums: Map<string, Use>;
  sumUsd: number;
  /** The result that was counted last: it must not count twice. */
  result: string;
  model: string;
  person: string | null;
  spent: { usd: number; tokens: number };
  /** A person has let the session have one more turn, whatever was spent. */
  isTurnAllowed: boolean;
}

/**
 * Counts what the agent of one session spends. Each reply is counted by what it says of itself, at list prices; when the turn is over
 * the agent says what it came to, and that is what counts.
 */
export class SpendMeter {
  #state: MeterState = {
    models: new Set(),
    since: new Map(),
    replies: new Map(),
    sums: new Map(),
    sumUsd: 0,
    result: '',
    model: '',
    person: null,
    spent: { usd: 0, tokens: 0 },
    isTurnAllowed: false,
  };

  /** Go on where an earlier process of the hub was. */
  load(kept: JsonObject): void {
    const [since, sums] = [keptUses(kept, 'since'), keptUses(kept, 'sums')];
    const names = listAt(kept, 'models').filter((name) => typeof name === 'string');
    const models = new Set([...names, ...since.keys(), ...sums.keys()]);
    const replies = new Map(Object.entries(objectAt(kept, 'replies')).map(([id, one]) => [id, replyIn(one)]));
    this.#state = { ...this.#state, ...kept, models, since, replies, sums };
  }

  /** What to keep with each line that was counted. */
  get state(): JsonObject {
    const { models, since, replies, sums, ...rest } = this.#state;
    const maps = {
      since: Object.fromEntries(since),
      replies: Object.fromEntries(replies),
      sums: Object.fromEntries(sums),
    };
    return structuredClone({ ...rest, ...maps, models: [...models] });
  }

  /** What the session has spent since it was made. */
  get spent(): { usd: number; tokens: number } {
    return this.#state.spent;
  }

  get person(): string | null {
    return this.#state.person;
  }

  get isTurnAllowed(): boolean {
    return this.#state.isTurnAllowed;
  }

  allowTurn(): void {
    this.#state.isTurnAllowed = true;
  }

  /** Who prompts pays for what comes of it. */
  prompted(person: string): void {
    this.#state.person = person.slice(0, LONGEST_NAME);
  }

  /** Another process of the agent counts from nothing. */
  restarted(): void {
    this.#state = { ...this.#state, since: new Map(), replies: new Map(), sums: new Map(), sumUsd: 0 };
  }

  /** An `assistant` or a `result` message; undefined when it has cost nothing that was not counted. */
  hear(message: JsonObject, isFree: boolean): Metered | undefined {
    const metered = message['type'] === 'result' ? this.#result(message) : this.#reply(message);
    if (!metered) return undefined;
    for (const [model, use] of metered.uses) {
      if (isFree) use.usd = 0;
      const { spent } = this.#state;
      spent.usd = Math.max(0, spent.usd + use.usd);
      spent.tokens = Math.max(0, spent.tokens + tokensOf(use));
      if (isNothing(use)) metered.uses.delete(model);
    }
    return metered;
  }

  #reply(said: JsonObject): Metered | undefined {
    const message = objectAt(said, 'message');
    const [id, model] = [textAt(message, 'id'), this.#named(textAt(message, 'model'))];
    // What an agent writes in the place of a reply was asked of nobody.
    if (id === '' || model === '' || model === '<synthetic>' || !isJsonObject(message['usage']))
      return undefined;
    const { replies, since } = this.#state;
    const key = id.slice(0, LONGEST_NAME);
    const known = replies.get(key);
    const characters = (known?.characters ?? 0) + charactersIn(message);
    // Each block of a reply repeats what is known when the reply begins: one token, or few.
    const least = { output: Math.ceil(characters / CHARACTERS_A_TOKEN) };
    const use = most(known?.use ?? NO_USE, useOfReply(objectAt(message, 'usage'), model, least));
    const news = minus(use, known?.use ?? NO_USE);
    const [oldest] = replies.keys();
    if (!known && oldest !== undefined && replies.size >= MAX_REPLIES) replies.delete(oldest);
    replies.set(key, { model, use, characters });
    since.set(model, plus(since.get(model) ?? NO_USE, news));
    this.#state.model = model;
    return { uses: new Map([[model, news]]), endedTurn: undefined };
  }

  /** The agent says what it came to since it last did: what was counted meanwhile is set right. */
  #result(result: JsonObject): Metered | undefined {
    const uuid = textAt(result, 'uuid');
    if (uuid !== '' && uuid === this.#state.result) return undefined;
    const { since, model } = this.#state;
    const said = this.#saidIn(result);
    const uses = new Map<string, Use>();
    if (said) {
      for (const [name, use] of said) uses.set(name, minus(use, since.get(name) ?? NO_USE));
      for (const [name, use] of since) if (!said.has(name)) uses.set(name, minus(NO_USE, use));
    }
    const empty = { since: new Map(), replies: new Map() };
    this.#state = { ...this.#state, ...empty, result: uuid, isTurnAllowed: false };
    return { uses, endedTurn: model };
  }

  #saidIn(result: JsonObject): Map<string, Use> | undefined {
    const now = usesIn(result, 'modelUsage');
    const total = usdAt(result, 'total_cost_usd');
    const told = usesIn(result, 'model_usage_since_last_result');
    const sums = now && this.#bounded(now);
    const turn = told ? this.#bounded(told) : sums && this.#sinceSums(sums);
    const usd = total < this.#state.sumUsd ? total : total - this.#state.sumUsd;
    this.#state.sums = sums ?? new Map();
    this.#state.sumUsd = total;
    if (turn) return turn;
    // Nothing is said by model: neither is it known that nothing was used.
    return numberAt(result, 'total_cost_usd') === undefined ? undefined : this.#atPrice(usd);
  }

  /** The tokens are those that were counted. */
  #atPrice(usd: number): Map<string, Use> {
    const { since, model } = this.#state;
    const counted = new Map(Array.from(since, ([name, use]) => [name, { ...use, usd: 0 }]));
    counted.set(model, { ...(counted.get(model) ?? NO_USE), usd });
    return counted;
  }

  /** Sums only grow: one that is less than before has begun anew. */
  #sinceSums(now: Map<string, Use>): Map<string, Use> {
    return new Map(
      Array.from(now, ([model, sum]) => {
        const before = this.#state.sums.get(model) ?? NO_USE;
        const isAnew = sum.usd < before.usd || sum.input < before.input || sum.output < before.output;
        return [model, isAnew ? sum : minus(sum, before)];
      }),
    );
  }

  #bounded(uses: readonly [string, Use][]): Map<string, Use> {
    const bounded = new Map<string, Use>();
    for (const [said, use] of uses) {
      const name = this.#named(said);
      bounded.set(name, plus(bounded.get(name) ?? NO_USE, use));
    }
    return bounded;
  }

  /** A session with more models than anybody uses has a few rows a day all the same. */
  #named(said: string): string {
    const name = said.slice(0, LONGEST_NAME);
    const { models } = this.#state;
    if (models.size < MAX_MODELS) models.add(name);
    return models.has(name) ? name : OTHER_MODELS;
  }
}

function keptUses(kept: JsonObject, name: string): Map<string, Use> {
  return new Map(Object.entries(objectAt(kept, name)).map(([model, use]) => [model, keptUse(use)]));
}

function replyIn(kept: unknown): Reply {
  const characters = numberAt(kept, 'characters') ?? 0;
  return { model: textAt(kept, 'model'), use: keptUse(objectAt(kept, 'use')), characters };
}

function charactersIn(message: JsonObject): number {
  let count = 0;
  for (const block of listAt(message, 'content')) {
    count += textAt(block, 'text').length + textAt(block, 'thinking').length;
    const input = isJsonObject(block) ? block['input'] : undefined;
    if (input !== undefined) count += JSON.stringify(input).length;
  }
  return count;
}

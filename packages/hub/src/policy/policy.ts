import type { JsonObject } from '@signalbox/protocol';
import type { Author, HubRule } from '@signalbox/protocol/hub';
import type { Rules, StoredRule } from '../store/rule.ts';
import { type ApplyingRules, appliesIn, EVERY_TOOL, prepareRules } from './applying-rules.ts';
import { judge, type PathReader, type Verdict } from './judge.ts';
import { ruleWords } from './rule-words.ts';
import { isWithin, type SessionPlace } from './session-place.ts';

/** How many combinations of rules are kept ready; sessions of one folder share theirs. */
const MAX_READY = 64;

/** A verdict that answers a request: who answers is the hub, by a rule that it names. */
export interface Decision extends Verdict {
  author: Author;
  why: string;
}

/** The rules that decide what agents ask before people are shown it. */
export class Policy {
  #rules: readonly HubRule[] = [];
  #folders: readonly string[] = [];
  #sessions: ReadonlySet<string> = new Set();
  readonly #ready = new Map<string, ApplyingRules>();

  /** A policy of these rules alone. */
  static of(rules: readonly HubRule[]): Policy {
    const policy = new Policy();
    policy.#set(rules);
    return policy;
  }

  /** Those that are stored, and the one of `--auto-approve` where that was said. */
  async load(rules: Rules, isEverythingAllowed = false): Promise<void> {
    const stored = (await rules.list()).map(asStored);
    this.#set(isEverythingAllowed ? [...stored, everythingAllowed()] : stored);
  }

  /** Oldest first. */
  get rules(): readonly HubRule[] {
    return this.#rules;
  }

  /** Those that count in a place. */
  rulesIn(place: SessionPlace): HubRule[] {
    return this.#rules.filter((rule) => appliesIn(rule, place));
  }

  get(id: string): HubRule | undefined {
    return this.#rules.find((rule) => rule.id === id);
  }

  /** One that is durable. */
  add(rule: StoredRule): HubRule {
    const added = asStored(rule);
    this.#set([...this.#rules, added]);
    return added;
  }

  /** It counts no more. */
  remove(id: string): void {
    this.#set(this.#rules.filter((rule) => rule.id !== id));
  }

  /** Rules of a session go with it. */
  forgetSession(session: string): void {
    if (this.#sessions.has(session)) this.#set(this.#rules.filter((rule) => rule.session !== session));
  }

  /** What the rules say of a request of a session's agent; undefined when they say nothing. */
  decide(request: JsonObject, place: SessionPlace, follow?: PathReader): Decision | undefined {
    if (this.#rules.length === 0) return undefined;
    const verdict = judge(request, this.#applying(place), place, follow);
    if (!verdict) return undefined;
    const { rule } = verdict;
    const author: Author = { by: 'hub', rule: rule.rule, ruleId: rule.id };
    return { ...verdict, author, why: `rule: ${ruleWords(rule)}` };
  }

  #applying(place: SessionPlace): ApplyingRules {
    const key = this.#keyOf(place);
    const known = this.#ready.get(key);
    if (known) return known;
    const made = prepareRules(this.rulesIn(place));
    const [oldest] = this.#ready.keys();
    if (this.#ready.size >= MAX_READY && oldest !== undefined) this.#ready.delete(oldest);
    this.#ready.set(key, made);
    return made;
  }

  /** The same for places in which the same rules count. */
  #keyOf({ session, folder, origin, claimed }: SessionPlace): string {
    const around = (path: string | null): string[] => this.#folders.filter((one) => isWithin(path, one));
    const own = this.#sessions.has(session) ? session : null;
    return JSON.stringify([own, around(folder), around(origin), around(claimed)]);
  }

  #set(rules: readonly HubRule[]): void {
    this.#rules = rules;
    this.#folders = [...new Set(rules.flatMap(({ folder }) => folder ?? []))];
    this.#sessions = new Set(rules.flatMap(({ session }) => session ?? []));
    this.#ready.clear();
  }
}

function asStored(rule: StoredRule): HubRule {
  return { ...rule, isStored: true };
}

function everythingAllowed(): HubRule {
  return {
    id: 'auto-approve',
    rule: EVERY_TOOL,
    behavior: 'allow',
    folder: null,
    session: null,
    author: { by: 'hub' },
    createdAt: Date.now(),
    isStored: false,
  };
}

import {
  formatRule,
  type JsonObject,
  namesTool,
  parseRule,
  programKind,
  readShellLine,
  suggestRules,
  type ToolCall,
  textField,
} from '@signalbox/protocol';
import type { HubRule, RuleSuggestion } from '@signalbox/protocol/hub';
import { turns } from '../base/turns.ts';
import type { Store } from '../store/store.ts';
import { prepareRules } from './applying-rules.ts';
import { callIn } from './asked-call.ts';
import { compareRules } from './check-rule.ts';
import { judge, NOWHERE, type PathReader } from './judge.ts';
import { type AskedCall, askedCalls } from './past-calls.ts';
import { Policy } from './policy.ts';
import { RuleConflictError } from './policy-errors.ts';
import { realPathOrNull, type SessionPlace } from './session-place.ts';

/** A rule is proposed once people have allowed so many calls that it covers. */
const LEAST_CALLS = 3;

/** So many of the newest calls that people have allowed are looked at. */
const MAX_CALLS = 5000;

/** How many rules are looked at, those with the most calls first, and how many of them are proposed. */
const MAX_CANDIDATES = 60;
const MAX_PROPOSED = 20;

/** By its text: what a path leads to now is not what it led to then. */
const AS_WRITTEN: PathReader = (path) => path;

interface Support {
  rule: string;
  calls: number;
  texts: Set<string>;
  sessions: Set<string>;
  folders: Set<string | null>;
}

interface Proposal {
  candidate: HubRule;
  suggestion: RuleSuggestion;
}

/** Rules that follow from what people have allowed, and that go against nothing that was denied, also all of them together. */
export async function proposeRules(store: Store, inForce: readonly HubRule[]): Promise<RuleSuggestion[]> {
  const supports = [...(await supported(store)).values()];
  const candidates = supports
    .filter(({ rule, calls, texts }) => calls >= LEAST_CALLS && (texts.size > 1 || !rule.endsWith(':*)')))
    .toSorted((one, other) => other.calls - one.calls)
    .slice(0, MAX_CANDIDATES)
    .map(proposalOf);
  const proposed: Proposal[] = [];
  for (const one of await undenied(store, candidates))
    if (isNew(one.candidate, [...inForce, ...proposed.map(({ candidate }) => candidate)])) proposed.push(one);
  proposed.splice(MAX_PROPOSED);
  await dropTogether(store, inForce, proposed);
  return proposed.map(({ suggestion }) => suggestion);
}

/** Those that would have allowed nothing that was denied. */
async function undenied(store: Store, candidates: readonly Proposal[]): Promise<Proposal[]> {
  let left = candidates.map((proposal) => ({ proposal, policy: Policy.of([proposal.candidate]) }));
  for await (const { past, place } of deniedCalls(store))
    left = left.filter(({ policy }) => !policy.decide(past.request, place, AS_WRITTEN));
  return left.map(({ proposal }) => proposal);
}

/** Of those that together would have allowed a call that was denied, the ones with the least behind them go. */
async function dropTogether(store: Store, inForce: readonly HubRule[], proposed: Proposal[]): Promise<void> {
  const before = Policy.of(inForce);
  const policyOf = (): Policy => Policy.of([...inForce, ...proposed.map(({ candidate }) => candidate)]);
  let trial = policyOf();
  for await (const { past, call, place } of deniedCalls(store)) {
    const isAllowedBy = (policy: Policy): boolean =>
      policy.decide(past.request, place, AS_WRITTEN)?.behavior === 'allow';
    while (isAllowedBy(trial) && !isAllowedBy(before)) {
      const last = proposed.findLastIndex(({ candidate }) =>
        namesTool(parseRule(candidate.rule), 'allow', call.toolName),
      );
      if (last === -1) break;
      proposed.splice(last, 1);
      trial = policyOf();
    }
  }
}

/** Whoever changed the input did not want the call as it was. */
async function* deniedCalls(store: Store): AsyncGenerator<AskedCall> {
  for await (const page of askedCalls(store))
    for (const asked of page) {
      if (asked.outcome !== 'denied' && asked.outcome !== 'changed') continue;
      if (turns.isOver) await turns.rest();
      yield asked;
    }
}

/** The rule that would answer a request that waits, and others like it; none where no single rule does. */
export function ruleFor(request: JsonObject, place: SessionPlace): RuleSuggestion[] {
  const call = callIn(request);
  const rule = call && soleRule(call, place);
  if (rule === undefined) return [];
  const { folder, session } = place;
  const scope = { folder, session: folder === null ? session : null };
  const candidate = asRule(rule, scope);
  if (judge(request, prepareRules([candidate]), place, realPathOrNull)?.behavior !== 'allow') return [];
  return [{ rule, behavior: 'allow', ...scope, allowed: 0, sessions: 0, words: 'It would allow this call.' }];
}

async function supported(store: Store): Promise<Map<string, Support>> {
  const found = new Map<string, Support>();
  let left = MAX_CALLS;
  for await (const page of askedCalls(store)) {
    for (const { past, call, place, outcome } of page) {
      if (outcome !== 'allowed' || past.answer?.author.by !== 'person') continue;
      if (turns.isOver) await turns.rest();
      left -= 1;
      const text = JSON.stringify(call.input);
      for (const rule of new Set([soleRule(call, place), beginning(call)])) {
        if (rule === undefined) continue;
        const none = { rule, calls: 0, texts: new Set<string>(), sessions: new Set<string>() };
        const known: Support = found.get(rule) ?? { ...none, folders: new Set() };
        known.calls += 1;
        known.texts.add(text);
        known.sessions.add(past.session);
        known.folders.add(place.folder);
        found.set(rule, known);
      }
    }
    if (left <= 0) break;
  }
  return found;
}

/** The one rule that covers a call. One that takes several is nothing to be proposed after it. */
function soleRule(call: ToolCall, place: SessionPlace): string | undefined {
  const { folder, home } = place;
  const [rule, ...others] = suggestRules(call, { cwd: folder ?? NOWHERE, home: home ?? NOWHERE });
  if (!rule || others.length > 0) return undefined;
  const text = formatRule(rule);
  const request = { subtype: 'can_use_tool', tool_name: call.toolName, input: { ...call.input } };
  const isEnough = judge(request, prepareRules([asRule(text, { folder, session: null })]), place, AS_WRITTEN);
  return isEnough?.behavior === 'allow' ? text : undefined;
}

/** `Bash(npm test:*)` for one command that begins so. People who allow several of them mean what they have in common. */
function beginning(call: ToolCall): string | undefined {
  if (call.toolName !== 'Bash') return undefined;
  const { commands, hazards, unreadable } = readShellLine(textField(call, 'command'), NOWHERE);
  const [program, second] = commands[0]?.words ?? [];
  if (commands.length !== 1 || hazards.length > 0 || unreadable !== undefined) return undefined;
  if (program === undefined || second === undefined || programKind(program) !== 'plain') return undefined;
  const isPlain = /^[\w./-]+$/.test(program) && /^[a-z][\w:-]*$/.test(second);
  return isPlain ? `Bash(${program} ${second}:*)` : undefined;
}

function proposalOf({ rule, calls, sessions, folders }: Support): Proposal {
  const [only = null, ...others] = folders;
  const scope = { folder: others.length > 0 ? null : only, session: null };
  const where = sessions.size === 1 ? 'one session' : `${sessions.size} sessions`;
  const words = `You have allowed ${calls} such calls in ${where} and denied none that it covers.`;
  return {
    candidate: asRule(rule, scope),
    suggestion: { rule, behavior: 'allow', ...scope, allowed: calls, sessions: sessions.size, words },
  };
}

function asRule(rule: string, scope: Pick<HubRule, 'folder' | 'session'>): HubRule {
  const author = { by: 'hub' } as const;
  return { id: '', rule, behavior: 'allow', ...scope, author, createdAt: 0, isStored: true };
}

function isNew(candidate: HubRule, inForce: readonly HubRule[]): boolean {
  try {
    compareRules(candidate, inForce);
    return true;
  } catch (error) {
    if (error instanceof RuleConflictError) return false;
    throw error;
  }
}

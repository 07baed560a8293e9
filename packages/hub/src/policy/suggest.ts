import { createHash } from 'node:crypto';
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
import type { HubRule, PastCall, RuleSuggestion } from '@signalbox/protocol/hub';
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

/** A rule is proposed once people have answered this many of the calls that it covers. */
const LEAST_CALLS = 3;

/** This many of the newest calls that people have answered are looked at. */
const MAX_CALLS = 5000;

/** How many rules are looked at, those with the most calls first, and how many of them are proposed. */
const MAX_CANDIDATES = 60;
const MAX_PROPOSED = 20;

/** By its text: what a path leads to now is not what it led to then. */
const AS_WRITTEN: PathReader = (path) => path;

/** What people answered is what a rule would have answered for them. */
type Proposable = 'allow' | 'deny';

/** An answer with another input says nothing about a rule. */
const BEHAVIOR_OF: Partial<Record<PastCall['outcome'], Proposable>> = { allowed: 'allow', denied: 'deny' };

interface Support {
  rule: string;
  behavior: Proposable;
  calls: number;
  /** One of the inputs, and whether there was another. */
  input: string;
  isVaried: boolean;
  sessions: Set<string>;
  folders: Set<string | null>;
}

interface Proposal {
  candidate: HubRule;
  suggestion: RuleSuggestion;
}

/** Rules that follow from what people have answered, and that contradict none of their answers, also all of them together. */
export async function proposeRules(store: Store, inForce: readonly HubRule[]): Promise<RuleSuggestion[]> {
  const supports = [...(await supported(store)).values()];
  const candidates = supports
    .filter(({ rule, calls, isVaried }) => calls >= LEAST_CALLS && (isVaried || !rule.endsWith(':*)')))
    .toSorted((one, other) => other.calls - one.calls)
    .slice(0, MAX_CANDIDATES)
    .map(proposalOf);
  const proposed: Proposal[] = [];
  for (const one of await uncontradicted(store, candidates))
    if (isNew(one.candidate, [...inForce, ...proposed.map(({ candidate }) => candidate)])) proposed.push(one);
  proposed.splice(MAX_PROPOSED);
  const allowing = proposed.filter(({ suggestion }) => suggestion.behavior === 'allow');
  await dropTogether(store, inForce, allowing);
  return proposed
    .filter((one) => one.suggestion.behavior === 'deny' || allowing.includes(one))
    .map(({ suggestion }) => suggestion);
}

/** Those that would have allowed nothing that was denied, and denied nothing that was allowed. */
async function uncontradicted(store: Store, candidates: readonly Proposal[]): Promise<Proposal[]> {
  let left = candidates.map((proposal) => ({ proposal, policy: Policy.of([proposal.candidate]) }));
  const wanted = new Set(candidates.map(({ suggestion }) => suggestion.behavior));
  for await (const { past, place, outcome } of answeredCalls(store)) {
    const opposite = outcome === 'allowed' ? 'deny' : 'allow';
    if (!wanted.has(opposite)) continue;
    left = left.filter(
      ({ proposal, policy }) =>
        proposal.suggestion.behavior !== opposite || !policy.decide(past.request, place, AS_WRITTEN),
    );
  }
  return left.map(({ proposal }) => proposal);
}

/** Of those that together would have allowed a call that was denied, the ones with the fewest calls go. */
async function dropTogether(store: Store, inForce: readonly HubRule[], proposed: Proposal[]): Promise<void> {
  const before = Policy.of(inForce);
  const policyOf = (): Policy => Policy.of([...inForce, ...proposed.map(({ candidate }) => candidate)]);
  let trial = policyOf();
  for await (const { past, call, place, outcome } of answeredCalls(store)) {
    // Somebody who changed the input did not allow the call as it was.
    if (outcome === 'allowed') continue;
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

async function* answeredCalls(store: Store): AsyncGenerator<AskedCall> {
  for await (const page of askedCalls(store))
    for (const asked of page) {
      if (asked.outcome === 'unanswered') continue;
      if (turns.isOver) await turns.rest();
      yield asked;
    }
}

/** The rule that would answer a request that waits, and others like it; none where no single rule does. */
export function ruleFor(request: JsonObject, place: SessionPlace): RuleSuggestion[] {
  const call = callIn(request);
  const rule = call && soleRule(call, place, 'allow');
  if (rule === undefined) return [];
  const { folder, session } = place;
  const scope = { folder, session: folder === null ? session : null };
  const candidate = asRule(rule, 'allow', scope);
  if (judge(request, prepareRules([candidate]), place, realPathOrNull)?.behavior !== 'allow') return [];
  return [
    {
      rule,
      behavior: 'allow',
      ...scope,
      allowed: 0,
      denied: 0,
      sessions: 0,
      words: 'It would allow this call.',
    },
  ];
}

async function supported(store: Store): Promise<Map<string, Support>> {
  const found = new Map<string, Support>();
  let left = MAX_CALLS;
  for await (const page of askedCalls(store)) {
    for (const { past, call, place, outcome } of page) {
      const behavior = BEHAVIOR_OF[outcome];
      if (!behavior || past.answer?.author.by !== 'person') continue;
      if (turns.isOver) await turns.rest();
      left -= 1;
      // Inputs may be long, and there may be thousands of them.
      const input = createHash('sha256').update(JSON.stringify(call.input)).digest('base64url');
      for (const rule of new Set([soleRule(call, place, behavior), beginning(call)])) {
        if (rule === undefined) continue;
        const none = { rule, behavior, calls: 0, input, isVaried: false, sessions: new Set<string>() };
        const known: Support = found.get(`${behavior} ${rule}`) ?? { ...none, folders: new Set() };
        known.calls += 1;
        known.isVaried ||= known.input !== input;
        known.sessions.add(past.session);
        known.folders.add(place.folder);
        found.set(`${behavior} ${rule}`, known);
      }
    }
    if (left <= 0) break;
  }
  return found;
}

/** The one rule that covers a call; none where it would take several. */
function soleRule(call: ToolCall, place: SessionPlace, behavior: Proposable): string | undefined {
  const { folder, home } = place;
  const [rule, ...others] = suggestRules(call, { cwd: folder ?? NOWHERE, home: home ?? NOWHERE });
  if (!rule || others.length > 0) return undefined;
  const text = formatRule(rule);
  const request = { subtype: 'can_use_tool', tool_name: call.toolName, input: { ...call.input } };
  const rules = prepareRules([asRule(text, behavior, { folder, session: null })]);
  return judge(request, rules, place, AS_WRITTEN)?.behavior === behavior ? text : undefined;
}

/** `Bash(npm test:*)` for one command that begins so: what several commands have in common. */
function beginning(call: ToolCall): string | undefined {
  if (call.toolName !== 'Bash') return undefined;
  const { commands, hazards, unreadable } = readShellLine(textField(call, 'command'), NOWHERE);
  const [program, second] = commands[0]?.words ?? [];
  if (commands.length !== 1 || hazards.length > 0 || unreadable !== undefined) return undefined;
  if (program === undefined || second === undefined || programKind(program) !== 'plain') return undefined;
  const isPlain = /^[\w./-]+$/.test(program) && /^[a-z][\w:-]*$/.test(second);
  return isPlain ? `Bash(${program} ${second}:*)` : undefined;
}

function proposalOf({ rule, behavior, calls, sessions, folders }: Support): Proposal {
  const [only = null, ...others] = folders;
  const scope = { folder: others.length > 0 ? null : only, session: null };
  const where = sessions.size === 1 ? 'one session' : `${sessions.size} sessions`;
  const [allowed, denied] = behavior === 'allow' ? [calls, 0] : [0, calls];
  const [did, not] = behavior === 'allow' ? ['allowed', 'denied'] : ['denied', 'allowed'];
  const words = `You have ${did} ${calls} such calls in ${where} and ${not} none that it covers.`;
  return {
    candidate: asRule(rule, behavior, scope),
    suggestion: { rule, behavior, ...scope, allowed, denied, sessions: sessions.size, words },
  };
}

function asRule(rule: string, behavior: Proposable, scope: Pick<HubRule, 'folder' | 'session'>): HubRule {
  const author = { by: 'hub' } as const;
  return { id: '', rule, behavior, ...scope, author, createdAt: 0, isStored: true };
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

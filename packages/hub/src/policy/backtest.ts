import { namesTool, parseRule, type ToolCall, textField } from '@signalbox/protocol';
import type { Backtest, HubRule, PastCall } from '@signalbox/protocol/hub';
import { turns } from '../base/turns.ts';
import type { Store } from '../store/store.ts';
import { appliesIn, prepareRules } from './applying-rules.ts';
import { judge } from './judge.ts';
import { type AskedCall, askedCalls, pastCallOf } from './past-calls.ts';

/** How many calls are listed of each kind. */
const MAX_LISTED = 100;

type Counts = Backtest['all'];

/** The answers that a rule contradicts: what was changed was allowed, and not as it was asked. */
const AGAINST: Record<HubRule['behavior'], readonly PastCall['outcome'][]> = {
  allow: ['denied', 'changed'],
  deny: ['allowed', 'changed'],
  ask: [],
};

/** What a rule alone would have done to every tool call that agents have asked about. */
export async function backtest(store: Store, rule: HubRule): Promise<Backtest> {
  const rules = prepareRules([rule]);
  const mayConcern = quickTest(rule);
  const [all, matched] = [noCalls(), noCalls()];
  const [against, calls]: [PastCall[], PastCall[]] = [[], []];
  let isCut = false;
  const list = (calling: PastCall[], asked: AskedCall): void => {
    if (calling.length < MAX_LISTED) calling.push(pastCallOf(asked));
    else isCut = true;
  };
  for await (const page of askedCalls(store)) {
    for (const asked of page) {
      const { past, call, place, outcome } = asked;
      all[outcome] += 1;
      if (!mayConcern(call) || !appliesIn(rule, place)) continue;
      if (turns.isOver) await turns.rest();
      // By its text: what a path leads to now is not what it led to then.
      if (judge(past.request, rules, place, (path) => path)?.behavior !== rule.behavior) continue;
      matched[outcome] += 1;
      list(calls, asked);
      if (AGAINST[rule.behavior].includes(outcome)) list(against, asked);
    }
  }
  const { behavior } = rule;
  return {
    rule: rule.rule,
    behavior,
    words: wordsFor(behavior, all, matched),
    all,
    matched,
    against,
    calls,
    isCut,
  };
}

/** What a rule would have done, in one sentence. */
export function wordsFor(behavior: HubRule['behavior'], all: Counts, matched: Counts): string {
  const sum = matched.allowed + matched.denied + matched.changed + matched.unanswered;
  const calls = `${sum} ${sum === 1 ? 'call' : 'calls'}`;
  if (behavior === 'ask') return `It would have left ${calls} to people.`;
  if (behavior === 'deny') {
    const allowed = matched.allowed + matched.changed;
    return `It would have denied ${calls}, ${allowed || 'none'} of which ${allowed === 1 ? 'was' : 'were'} allowed.`;
  }
  return `It would have allowed ${calls} and ${denialWords(all.denied, matched.denied)}.`;
}

function denialWords(all: number, matched: number): string {
  if (all === 0) return 'there were no denials';
  if (all === 1) return matched === 0 ? 'not your one denial' : 'your one denial';
  return `${matched === 0 ? 'none' : matched} of your ${all} denials`;
}

function noCalls(): Counts {
  return { allowed: 0, denied: 0, changed: 0, unanswered: 0 };
}

/**
 * Whether a rule may have to do with a call, told from its name and text: to parse a line of shell takes longer. A program that
 * is not spelled out, by quotes or by something that is only known when it runs, counts as any.
 */
function quickTest({ rule, behavior }: HubRule): (call: ToolCall) => boolean {
  const parsed = parseRule(rule);
  const [, program] = /^Bash\(([\w./+-]+)(?::\*|[ )])/.exec(rule) ?? [];
  // A deny or ask rule may mean a field of the input.
  const isField = behavior !== 'allow' && /^Bash\(\w+\s*:(?!\*\)$)/.test(rule);
  return (call) => {
    if (!namesTool(parsed, behavior, call.toolName)) return false;
    if (program === undefined || isField) return true;
    const command = textField(call, 'command');
    if (command.includes(program) || /[$`*?[{]/.test(command)) return true;
    return command.replaceAll(/\\\n|['"\\]/g, '').includes(program);
  };
}

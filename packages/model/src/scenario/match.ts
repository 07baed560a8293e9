import type { Conversation } from '../api/conversation.ts';
import type { TextMatcher, When } from './schema.ts';

const QUOTE_LIMIT = 200;

/** A text as it appears in messages and logs: quoted, on one line, cut when long. */
export function quote(text: string, limit = QUOTE_LIMIT): string {
  return JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);
}

/** Whether a `when` holds: with what its regular expressions captured, or with the reasons why not. */
export type MatchResult =
  | { readonly matched: true; readonly captures: Readonly<Record<string, string>> }
  | { readonly matched: false; readonly misses: readonly string[]; readonly held: number };

type Check = { captures: Record<string, string> } | { miss: string };

const HELD: Check = { captures: {} };
const holds = (condition: boolean, miss: string): Check => (condition ? HELD : { miss });

function capturesOf(match: RegExpExecArray): Record<string, string> {
  const numbered = match.slice(1).map((group, i) => [String(i + 1), group ?? '']);
  const named = Object.entries(match.groups ?? {}).map(([name, group]) => [name, group ?? '']);
  return Object.fromEntries([...numbered, ...named]);
}

function checkText(subject: string, matcher: TextMatcher, text: string | undefined): Check {
  if (text === undefined) return { miss: `there is no ${subject}` };
  if (typeof matcher === 'string') return checkText(subject, { contains: matcher }, text);
  if ('equals' in matcher) {
    return holds(text === matcher.equals, `${subject} is not ${quote(matcher.equals)}`);
  }
  if ('contains' in matcher) {
    return holds(text.includes(matcher.contains), `${subject} does not contain ${quote(matcher.contains)}`);
  }
  const match = new RegExp(matcher.matches, matcher.flags).exec(text);
  return match ? { captures: capturesOf(match) } : { miss: `${subject} does not match /${matcher.matches}/` };
}

function checkToolResult(
  wanted: NonNullable<Exclude<When, 'any'>['tool_result']>,
  conversation: Conversation,
): Check {
  const { tool } = wanted;
  const last = conversation.toolResults.findLast((result) => tool === undefined || result.tool === tool);
  if (!last)
    return { miss: tool === undefined ? 'there is no tool result' : `there is no result of ${tool}` };
  if (wanted.is_error !== undefined && wanted.is_error !== last.isError) {
    return { miss: `the tool result is ${last.isError ? 'an error' : 'no error'}` };
  }
  return wanted.text === undefined ? HELD : checkText('tool result', wanted.text, last.text);
}

/** Tells whether every condition of a `when` holds for a conversation. */
export function matchWhen(when: When, conversation: Conversation): MatchResult {
  if (when === 'any') return { matched: true, captures: {} };
  const checks: Check[] = [];
  if (when.user !== undefined) checks.push(checkText('user text', when.user, conversation.prompt));
  if (when.tool_result !== undefined) checks.push(checkToolResult(when.tool_result, conversation));
  if (when.system !== undefined) checks.push(checkText('system prompt', when.system, conversation.system));
  if (when.model !== undefined) checks.push(checkText('model', when.model, conversation.model));
  if (when.turn !== undefined) {
    checks.push(
      holds(when.turn === conversation.replies, `this is turn ${conversation.replies}, not ${when.turn}`),
    );
  }
  for (const tool of when.tools ?? []) {
    checks.push(holds(conversation.tools.includes(tool), `tool ${tool} is not offered`));
  }
  const misses = checks.flatMap((check) => ('miss' in check ? check.miss : []));
  if (misses.length > 0) return { matched: false, misses, held: checks.length - misses.length };
  return {
    matched: true,
    captures: Object.assign({}, ...checks.map((check) => ('captures' in check ? check.captures : {}))),
  };
}

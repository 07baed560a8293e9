import { homedir } from 'node:os';
import {
  fileRuleName,
  isSearch,
  type JsonObject,
  type Judgement,
  judgeCall,
  type ScopedRule,
  subjectPath,
  type ToolCall,
} from '@signalbox/protocol';
import type { HubRule } from '@signalbox/protocol/hub';
import type { ApplyingRules } from './applying-rules.ts';
import { callIn } from './asked-call.ts';
import { realPathOrNull, type SessionPlace } from './session-place.ts';

/** What the rules say of a request: `ask` leaves it to people, whoever else would have answered it. */
export interface Verdict {
  behavior: 'allow' | 'deny' | 'ask';
  rule: HubRule;
}

/** No folder of any agent: what depends on one that is not known matches nothing. */
export const NOWHERE = '/\u0000';

/** How a path is followed. What was asked long ago is compared by its text: the files of then may be gone. */
export type PathReader = (path: string) => string | null;

const NONE: readonly ScopedRule[] = [];

/** What the rules that count in a place say of a request; undefined when they say nothing, or nothing that is certain. */
export function judge(
  request: JsonObject,
  rules: ApplyingRules,
  place: SessionPlace,
  follow: PathReader = realPathOrNull,
): Verdict | undefined {
  const call = callIn(request);
  if (!call) return undefined;
  const guard = guarded(call, rules, place, follow);
  if (guard) return guard === 'unsure' ? undefined : guard;
  const allowed = allowing(call, request, rules, place, follow) ?? rules.everything;
  return allowed && { behavior: 'allow', rule: allowed };
}

/** The deny or ask rule that catches a call, however its path is read; `unsure` when only running it would tell. */
function guarded(
  call: ToolCall,
  { sets, hubRuleOf }: ApplyingRules,
  place: SessionPlace,
  follow: PathReader,
): Verdict | 'unsure' | undefined {
  if (sets.deny.length === 0 && sets.ask.length === 0) return undefined;
  const isFileTool = fileRuleName(call.toolName) !== undefined;
  const folders = [...new Set([place.folder, place.claimed].flatMap((folder) => folder ?? []))];
  let asked: Verdict | undefined;
  let isUnsure = false;
  for (const cwd of folders.length === 0 ? [NOWHERE] : folders) {
    const context = { cwd, home: place.home ?? homedir() };
    const path = isFileTool && place.folder !== null ? subjectPath(call, context) : undefined;
    const real = path && follow(path.startsWith('/') ? path : `${cwd}/${path}`);
    for (const one of real ? [call, withPath(call, real)] : [call]) {
      const { behavior, rule } = judgeCall(one, { ...sets, allow: NONE }, context);
      const hubRule = rule && hubRuleOf.get(rule);
      if (behavior === 'deny' && hubRule) return { behavior, rule: hubRule };
      if (behavior === 'ask' && hubRule) asked = { behavior, rule: hubRule };
      if (behavior === 'none' && rule) isUnsure = true;
    }
  }
  return asked ?? (isUnsure ? 'unsure' : undefined);
}

/** The rule that allows all of a call. */
function allowing(
  call: ToolCall,
  request: JsonObject,
  { sets, withoutContent, hubRuleOf }: ApplyingRules,
  place: SessionPlace,
  follow: PathReader,
): HubRule | undefined {
  if (sets.allow.length === 0 || isBeyondRules(call, request)) return undefined;
  const context = { cwd: place.folder ?? NOWHERE, home: place.home ?? NOWHERE };
  const grant = (one: ToolCall, allow: readonly ScopedRule[]): Judgement =>
    judgeCall(one, { allow, deny: NONE, ask: NONE }, context);
  const isFileTool = fileRuleName(call.toolName) !== undefined;
  const real = isFileTool ? realSubject(call, place, follow) : undefined;
  const judgement =
    isFileTool && real === undefined
      ? grant(call, withoutContent)
      : grant(real === undefined ? call : withPath(call, real), sets.allow);
  return judgement.behavior === 'allow' && judgement.rule ? hubRuleOf.get(judgement.rule) : undefined;
}

/** A command that leaves its sandbox, or the folders that its agent may work in, is more than the rule for it says. */
function isBeyondRules({ toolName, input }: ToolCall, { blocked_path: blocked }: JsonObject): boolean {
  return toolName === 'Bash' && (input.dangerouslyDisableSandbox === true || typeof blocked === 'string');
}

/**
 * The file that a call is really about. Undefined where that is not known: on another machine, and for a path that is relative to
 * wherever the agent is just now.
 */
function realSubject(call: ToolCall, place: SessionPlace, follow: PathReader): string | undefined {
  if (place.folder === null) return undefined;
  const path = subjectPath(call, { cwd: NOWHERE, home: place.home ?? NOWHERE });
  if (path === undefined || !path.startsWith('/') || path.includes('\u0000')) return undefined;
  return follow(path) ?? undefined;
}

/** The same call about another path. */
function withPath({ toolName, input }: ToolCall, path: string): ToolCall {
  if (toolName.startsWith('Notebook')) return { toolName, input: { ...input, notebook_path: path } };
  if (!isSearch({ toolName, input })) return { toolName, input: { ...input, file_path: path } };
  return { toolName, input: { ...input, path, ...(toolName === 'Glob' ? { pattern: '*' } : {}) } };
}

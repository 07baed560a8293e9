import { type Judgement, judgeCall, parseRule, type RuleSets, type ToolCall } from '../../src/index.ts';

export const CONTEXT = { cwd: '/project/app', home: '/home/ada', root: '/project' };

/** Rules from their texts. */
export function ruleSets(texts: { deny?: string[]; ask?: string[]; allow?: string[] }): RuleSets {
  const { deny = [], ask = [], allow = [] } = texts;
  return { deny: deny.map(parseRule), ask: ask.map(parseRule), allow: allow.map(parseRule) };
}

export function bash(command: string): ToolCall {
  return { toolName: 'Bash', input: { command } };
}

/** What the rules say about a line of shell. */
export function judgeLine(command: string, rules: RuleSets): Judgement {
  return judgeCall(bash(command), rules, CONTEXT);
}

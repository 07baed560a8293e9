import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  type Judgement,
  judgeCall,
  type PathContext,
  type RuleSets,
  type ToolCall,
} from '@signalbox/protocol';

const PATH_FIELDS = ['file_path', 'notebook_path', 'path'];

/** The stricter answer wins: a link must not lead around a rule, and a rule may name the link. */
const STRICTEST_FIRST = ['deny', 'ask', 'none', 'allow'] as const;

/** Judges a call by the paths that it names and by those that they lead to. */
export function judgeWithLinks(call: ToolCall, rules: RuleSets, context: PathContext): Judgement {
  const judgements = [call, withRealPaths(call, context.cwd)].map((one) => judgeCall(one, rules, context));
  const found = STRICTEST_FIRST.map((behavior) => judgements.find((one) => one.behavior === behavior));
  return found.find((one) => one !== undefined) ?? { behavior: 'none', reason: 'no rule matches' };
}

function withRealPaths({ toolName, input }: ToolCall, cwd: string): ToolCall {
  const paths = PATH_FIELDS.flatMap((name) => {
    const path = input[name];
    return typeof path === 'string' ? [[name, realPath(resolve(cwd, path))] as const] : [];
  });
  return { toolName, input: { ...input, ...Object.fromEntries(paths) } };
}

/** Where a path really leads, also when its last parts do not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

import { resolve } from 'node:path';
import {
  type Judgement,
  judgeCall,
  LinkLoopError,
  type PathContext,
  type RuleSets,
  type ToolCall,
} from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';

const PATH_FIELDS = ['file_path', 'notebook_path', 'path'];

/** The stricter answer wins: a link must not lead around a rule, and a rule may name the link. */
const STRICTEST_FIRST = ['deny', 'ask', 'none', 'allow'] as const;

/** Judges a call by the paths that it names and by those that they lead to. */
export function judgeWithLinks(call: ToolCall, rules: RuleSets, context: PathContext): Judgement {
  let real: ToolCall;
  try {
    real = withRealPaths(call, context.cwd);
  } catch (error) {
    if (error instanceof LinkLoopError) return { behavior: 'deny', reason: error.message };
    throw error;
  }
  const judgements = [call, real].map((one) => judgeCall(one, rules, context));
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

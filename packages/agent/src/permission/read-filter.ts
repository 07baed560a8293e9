import { judgeCall, type PathContext, type RuleSets, type ScopedRule } from '@signalbox/protocol';
import { otherNames } from './hard-links.ts';

/** What shows the content or the name of a file. */
export type ReadingTool = 'Read' | 'Grep' | 'Glob';

const NO_RULES: readonly ScopedRule[] = [];

/**
 * Says which files a search may show: those that no rule denies or has asked about. Undefined where no rule is about
 * reading, so that a search of many files need not ask.
 */
export function readFilter(
  toolName: ReadingTool,
  { deny, ask }: RuleSets,
  context: PathContext,
): ((path: string) => boolean) | undefined {
  if (![...deny, ...ask].some(isAboutReading)) return undefined;
  const rules = { deny, ask, allow: NO_RULES };
  const key = toolName === 'Read' ? 'file_path' : 'path';
  const isTwin = otherNames([...readRulesForPaths(deny), ...readRulesForPaths(ask)], context);
  return (path) =>
    judgeCall({ toolName, input: { [key]: path } }, rules, context).behavior === 'none' && !isTwin?.(path);
}

const PATH_RULES = new WeakMap<readonly ScopedRule[], readonly ScopedRule[]>();

/** The rules of a list that are about reading some files; the same list each time, since it is indexed once. */
export function readRulesForPaths(rules: readonly ScopedRule[]): readonly ScopedRule[] {
  const found =
    PATH_RULES.get(rules) ??
    rules.filter(({ toolName, ruleContent }) => toolName === 'Read' && ruleContent !== undefined);
  PATH_RULES.set(rules, found);
  return found;
}

function isAboutReading({ toolName }: ScopedRule): boolean {
  return /^(?:Read|Grep|Glob|.*\*.*)$/s.test(toolName);
}

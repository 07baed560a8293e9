import { judgeCall, type PathContext, type RuleSets, type ScopedRule } from '@signalbox/protocol';

/** What shows the content or the name of a file. */
export type ReadingTool = 'Read' | 'Grep' | 'Glob';

/**
 * Says which files a search may show: those that no rule denies or has asked about. Undefined where no rule is about
 * reading, so that a search of many files need not ask.
 */
export function readFilter(
  toolName: ReadingTool,
  { deny, ask }: RuleSets,
  context: PathContext,
): ((path: string) => boolean) | undefined {
  const rules = { deny: deny.filter(isAboutReading), ask: ask.filter(isAboutReading), allow: [] };
  if (rules.deny.length + rules.ask.length === 0) return undefined;
  const key = toolName === 'Read' ? 'file_path' : 'path';
  return (path) => judgeCall({ toolName, input: { [key]: path } }, rules, context).behavior === 'none';
}

function isAboutReading({ toolName }: ScopedRule): boolean {
  return /^(?:Read|Grep|Glob|.*\*.*)$/s.test(toolName);
}

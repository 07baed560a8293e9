import type { RuleSets } from '@signalbox/protocol';

/** Whether a tool is denied whatever its input: it need not even be offered. */
export function isToolDenied({ deny }: Pick<RuleSets, 'deny'>, name: string): boolean {
  return deny.some(
    ({ toolName, ruleContent }) =>
      ruleContent === undefined && (toolName === name || name.startsWith(`${toolName}__`)),
  );
}

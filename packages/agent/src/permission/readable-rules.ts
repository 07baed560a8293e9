import { messageOf, parseRule } from '@signalbox/protocol';
import { SettingsError } from '../settings/settings-file.ts';

type RuleTexts = Readonly<Record<'allow' | 'deny' | 'ask', readonly string[]>>;

/**
 * The rules of a file that can be read. Of the others an allow rule allows nothing, and a deny or ask rule holds for its
 * whole tool (`strict`): someone meant to close a gate. Each is told. Throws `SettingsError` where not even the tool of
 * such a rule can be read.
 */
export function readableRules(
  file: string,
  rules: RuleTexts,
  onProblem: (problem: string) => void,
): RuleTexts & { strict: Record<'deny' | 'ask', string[]> } {
  const strict: Record<'deny' | 'ask', string[]> = { deny: [], ask: [] };
  const readable = (behavior: keyof RuleTexts): string[] =>
    rules[behavior].filter((text) => {
      try {
        parseRule(text);
        return true;
      } catch (error) {
        const problem = `the ${behavior} rule cannot be read: ${messageOf(error)}`;
        if (behavior === 'allow') {
          onProblem(`${file}: ${problem}. It allows nothing until it is mended.`);
          return false;
        }
        const toolName = /^\s*([A-Za-z_][\w-]*)/.exec(text)?.[1];
        if (toolName === undefined) throw new SettingsError(file, problem, error);
        // Of a server's name all that was read is its beginning.
        const holdsFor = toolName.startsWith('mcp__') ? `${toolName}*` : toolName;
        strict[behavior].push(holdsFor);
        onProblem(`${file}: ${problem}. Until it is mended it holds for all of ${holdsFor}.`);
        return false;
      }
    });
  return { allow: readable('allow'), deny: readable('deny'), ask: readable('ask'), strict };
}

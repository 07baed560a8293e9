import {
  allowsCommand,
  type CommandPattern,
  catchesCommand,
  catchesText,
  type Verdict,
} from './command-pattern.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';

/** How far allow rules cover a line. */
export interface Coverage {
  /** The rule that covers the line, or the first of those that do together; undefined when it is not covered. */
  readonly by: CommandPattern | undefined;
  /** The commands that no rule covers, as written. */
  readonly uncovered: readonly string[];
  /** What keeps the line from being allowed even if every command is covered. */
  readonly obstacle: string | undefined;
}

/** Whether the allow rules together cover every command of a line, or one of them spells it out. */
export function coverLine(line: ShellLine, patterns: readonly CommandPattern[]): Coverage {
  const covering = line.commands.map((command) =>
    patterns.find((pattern) => allowsCommand(pattern, command)),
  );
  const uncovered = line.commands.filter((_, at) => !covering[at]).map(({ source }) => source);
  const obstacle =
    line.unreadable ?? line.hazards[0] ?? (covering.length === 0 ? 'runs no command' : undefined);
  const isKnown =
    line.unreadable === undefined && line.commands.every(({ words: [program] }) => program !== undefined);
  const spelled = isKnown ? patterns.find(({ content }) => content === line.text.trim()) : undefined;
  const together = obstacle === undefined && uncovered.length === 0 ? covering[0] : undefined;
  return { by: spelled ?? together, uncovered, obstacle };
}

/** Whether a deny or ask rule catches the line as a whole or any command that it would run. */
export function catchLine(
  line: ShellLine,
  revealed: readonly ShellCommand[],
  pattern: CommandPattern,
): Verdict {
  if (catchesText(pattern, line.text)) return 'yes';
  const verdicts = new Set(revealed.map((command) => catchesCommand(pattern, command)));
  return verdicts.has('yes') ? 'yes' : verdicts.has('maybe') ? 'maybe' : 'no';
}

import type { Choice } from './input/completion.ts';
import { bold, dim, type Line, plain } from './text/line.ts';
import { wrapLine } from './text/wrap-line.ts';

/** Commands that the chat answers itself when the agent has none of the name; leaving is always the chat's. */
export const CHAT_COMMANDS: readonly Choice[] = [
  { text: 'help', detail: 'Keys and commands' },
  { text: 'model', detail: 'Show the models, or use another', argumentHint: '[name]' },
  { text: 'mode', detail: 'Show the permission modes, or use another', argumentHint: '[name]' },
  { text: 'exit', detail: 'Leave' },
  { text: 'quit', detail: 'Leave' },
];

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send'],
  ['Alt+Enter, \\ Enter', 'a new line'],
  ['Up, Down', 'earlier prompts; an empty box takes back what is queued'],
  ['Tab', 'complete a /command or an @file'],
  ['Esc', 'stop what the agent is doing'],
  ['Shift+Tab', 'the next permission mode'],
  ['Ctrl-A E K U W, Alt-B F D', 'edit as in a shell'],
  ['Ctrl-C twice, Ctrl-D', 'leave'],
  ['Ctrl-Z', 'back to the shell; fg comes back'],
];

/** What a prompt asks of the chat: the command's name and what follows it. */
export function readCommand(text: string): { name: string; rest: string } | undefined {
  const [, name, rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  return name === undefined ? undefined : { name, rest: rest.trim() };
}

/** The page that /help shows. */
export function helpLines(commands: readonly Choice[], width: number): Line[] {
  return [
    ...keyLines(width),
    [],
    [bold('Commands')],
    ...commands.flatMap(({ text, detail, argumentHint }) =>
      row(`/${text}${argumentHint ? ` ${argumentHint}` : ''}`, detail, width),
    ),
  ];
}

/** What the keys do: the part of it that no agent knows. */
export function keyLines(width: number): Line[] {
  return [[bold('Keys')], ...KEYS.flatMap(([keys, use]) => row(keys, use, width))];
}

/** Names with what they mean, as /model and /mode list them. */
export function listLines(rows: readonly (readonly [string, string])[], width: number): Line[] {
  return rows.flatMap(([name, detail]) => row(name, detail, width));
}

function row(name: string, detail: string, width: number): Line[] {
  return wrapLine([plain(`  ${name.padEnd(28)}`), dim(detail.replaceAll('\n', ' '))], width);
}

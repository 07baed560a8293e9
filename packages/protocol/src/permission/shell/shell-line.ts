import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash';
import { messageOf } from '../../errors.ts';
import { hazardOf } from './hazard.ts';
import { programKind } from './programs.ts';
import { MAX_NESTING, problemOfNode, problemOfText } from './readable.ts';
import { literalText, type ShellWord, staticAssignment, staticWord } from './static-word.ts';

/** One simple command: a program or builtin and its arguments. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** As written, for people to read. */
  readonly source: string;
  /** What a here-document or here-string feeds it: the text, and undefined too if expansion may change it. */
  readonly stdin: readonly ShellWord[];
}

/** Everything that a line of shell could run. */
export interface ShellLine {
  readonly text: string;
  /** In the order of the text, wherever they stand: in chains, substitutions, function bodies, here-documents. */
  readonly commands: readonly ShellCommand[];
  /** What the line does besides running commands that can be judged one by one. */
  readonly hazards: readonly string[];
  /** Whether quoted text in it could be evaluated later, as in `PS4='$(rm x)'; set -x`. */
  readonly hidesCode: boolean;
  /** Why `commands` may be incomplete; nothing that is said about the line is certain then. */
  readonly unreadable: string | undefined;
}

/** Finds every command in a line of bash. Never throws and never guesses: what it cannot follow it calls unreadable. */
export function readShellLine(text: string, home: string): ShellLine {
  const commands: ShellCommand[] = [];
  const hazards = new Set<string>();
  let evaluates = false;
  let quotesCode = false;
  let unreadable = problemOfText(text);

  function visit(node: SyntaxNode, source: string, depth: number): void {
    unreadable ??= depth > MAX_NESTING ? 'is nested too deeply' : problemOfNode(node, source);
    const hazard = hazardOf(node, home);
    if (hazard) hazards.add(hazard.what);
    if (hazard?.evaluates) evaluates = true;
    if (node.type === 'Word' && /[$`]/.test(literalText(node))) quotesCode = true;
    if (node.type === 'Command' && node.name) commands.push(readCommand(node, source, home));
    const inner = node.type === 'Script' ? (node.source ?? source) : source;
    forEachChild(node, (child) => visit(child, inner, depth + 1));
  }

  if (unreadable === undefined) {
    try {
      visit(parse(text), text, 0);
    } catch (cause) {
      unreadable = `cannot be read: ${messageOf(cause)}`;
    }
  }
  evaluates ||= commands.some(({ words: [name] }) => name !== undefined && programKind(name) === 'evaluator');
  return { text, commands, hazards: [...hazards], hidesCode: evaluates && quotesCode, unreadable };
}

function readCommand(command: Command, source: string, home: string): ShellCommand {
  const args = command.args.map((arg) =>
    arg.type === 'Assignment' ? staticAssignment(arg, home) : staticWord(arg, home),
  );
  const name = command.name && staticWord(command.name, home);
  return {
    words: [name, ...args],
    source: source.slice(command.pos, command.end),
    stdin: command.redirects.flatMap((redirect) => readInput(redirect, home)),
  };
}

function readInput(redirect: Redirection, home: string): readonly ShellWord[] {
  if (redirect.type === 'HereString') return [redirect.target && staticWord(redirect.target, home)];
  if (redirect.type !== 'HereDoc') return [];
  const { text } = redirect.body;
  return redirect.delimiter?.quoted || !/[$`\\]/.test(text) ? [text] : [text, undefined];
}

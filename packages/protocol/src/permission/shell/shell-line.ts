import {
  type Command,
  type CommandNode,
  type For,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { messageOf } from '../../errors.ts';
import { certaintyOf } from './certainty.ts';
import { hazardOf, isPlainAssignment } from './hazard.ts';
import { programKind } from './programs.ts';
import { MAX_COMMAND_LENGTH, MAX_NESTING, problemOfNode, problemOfText } from './readable.ts';
import { literalText, type ShellWord, staticAssignment, staticWord } from './static-word.ts';
import { isHarmlessVariable } from './variables.ts';
import { expandWord, variableOf, type WordValues } from './word-values.ts';

/** One simple command: a program or builtin and its arguments. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** As written, for people to read. */
  readonly source: string;
  /** What a here-document or here-string feeds it: the text, and undefined too if expansion may change it. */
  readonly stdin: readonly ShellWord[];
  /** Its words once more, with all that they may become; braces make more of them. */
  readonly values: readonly WordValues[];
  /** The commands before it in its pipe; none where more than their output is piped. */
  readonly feeders: readonly ShellCommand[];
  /** Its redirections as written. */
  readonly redirects: readonly string[];
  /** Whether what follows in the line runs only if this command succeeds: `cd docs && ls`. */
  readonly isRequired: boolean;
}

/** Everything that a line of shell could run. */
export interface ShellLine {
  readonly text: string;
  /** In the order of the text, wherever they stand: in chains, substitutions, function bodies, here-documents. */
  readonly commands: readonly ShellCommand[];
  /** What the line does besides running commands that can be judged one by one. */
  readonly hazards: readonly string[];
  /** What its redirections read. */
  readonly inputs: readonly WordValues[];
  /** The variables that it uses, without those that it sets itself or that are known to be no secrets. */
  readonly variables: readonly string[];
  /** Whether the name of the folder it runs in is cut into words: `ls $PWD`. */
  readonly splitsFolder: boolean;
  /** Something in it that is neither dangerous nor known to only read, such as a function. */
  readonly oddity: string | undefined;
  /** Why its words and folders may be others than they are said to be, since a part of it runs again or later. */
  readonly uncertainty: string | undefined;
  /** Whether quoted text in it could be evaluated later, as in `PS4='$(rm x)'; set -x`. */
  readonly hidesCode: boolean;
  /** Why `commands` may be incomplete; nothing that is said about the line is certain then. */
  readonly unreadable: string | undefined;
}

/** One decision reads the same line several times. */
const KEPT_LINES = 16;
const kept = new Map<string, { readonly home: string; readonly line: ShellLine }>();

/** Finds every command in a line of bash. Never throws and never guesses: what it cannot follow it calls unreadable. */
export function readShellLine(text: string, home: string): ShellLine {
  const before = kept.get(text);
  if (before?.home === home) return before.line;
  const line = new LineReader(text, home).read();
  if (text.length > MAX_COMMAND_LENGTH) return line;
  if (kept.size >= KEPT_LINES) kept.delete(kept.keys().next().value ?? '');
  kept.set(text, { home, line });
  return line;
}

/** Tests of `[[` that look at files. */
const FILE_TESTS = /^-(?:[abcdefghkprstuwxGLNOS]|nt|ot|ef)$/;

const NO_COMMANDS: readonly ShellCommand[] = [];

/** In a longer pipe it is not followed what feeds what. */
const MAX_PIPE = 50;

/** What is in these may run more than once. */
const LOOPS = new Set<SyntaxNode['type']>(['For', 'While', 'ArithmeticFor', 'Select', 'Function']);

/** Walks the syntax tree of one line. */
class LineReader {
  readonly #text: string;
  readonly #home: string;
  readonly #commands: ShellCommand[] = [];
  readonly #byNode = new Map<CommandNode, ShellCommand>();
  readonly #feeders = new Map<CommandNode, readonly CommandNode[]>();
  readonly #required = new Set<SyntaxNode>();
  readonly #hazards = new Set<string>();
  readonly #inputs: WordValues[] = [];
  /** What the line's own variables hold, as long as they are certain to be set. */
  readonly #variables = new Map<string, WordValues>();
  readonly #assigned = new Set<string>();
  readonly #used = new Set<string>();
  #splitsFolder = false;
  #definesFunction = false;
  #changesFolder = false;
  #oddity: string | undefined;
  #uncertainty: string | undefined;
  #loops = 0;
  #evaluates = false;
  #quotesCode = false;
  #unreadable: string | undefined;

  constructor(text: string, home: string) {
    this.#text = text;
    this.#home = home;
  }

  read(): ShellLine {
    this.#unreadable = problemOfText(this.#text);
    if (this.#unreadable === undefined) {
      try {
        const script = parse(this.#text);
        this.#noteChain(script);
        this.#visit(script, this.#text, 0);
      } catch (cause) {
        this.#unreadable = `cannot be read: ${messageOf(cause)}`;
      }
    }
    this.#evaluates ||= this.#commands.some(
      ({ words: [name] }) => name !== undefined && programKind(name) === 'evaluator',
    );
    return {
      text: this.#text,
      commands: this.#commands,
      hazards: [...this.#hazards],
      inputs: this.#inputs,
      variables: [...this.#used],
      splitsFolder: this.#splitsFolder,
      oddity: this.#oddity ?? (this.#text.trim() === '' ? 'runs no command' : undefined),
      uncertainty: this.#uncertainty ?? this.#lateCall(),
      hidesCode: this.#evaluates && this.#quotesCode,
      unreadable: this.#unreadable,
    };
  }

  /** A function runs where it is called: with other variables by then, or in another folder. */
  #lateCall(): string | undefined {
    return this.#definesFunction && (this.#changesFolder || this.#assigned.size > 0)
      ? 'defines a function that runs later'
      : undefined;
  }

  #visit(node: SyntaxNode, source: string, depth: number): void {
    this.#unreadable ??= depth > MAX_NESTING ? 'is nested too deeply' : problemOfNode(node, source);
    const hazard = hazardOf(node, this.#home);
    if (hazard) this.#hazards.add(hazard.what);
    if (hazard?.evaluates) this.#evaluates = true;
    this.#note(node, source);
    const inner = node.type === 'Script' ? (node.source ?? source) : source;
    const isLoop = LOOPS.has(node.type);
    if (isLoop) this.#loops++;
    let before: ReadonlySet<string> | undefined;
    forEachChild(node, (child) => {
      const kind = certaintyOf(node, child);
      if (kind !== 'certain') before ??= new Set(this.#variables.keys());
      if (node.type === 'For' && child === node.body) this.#setLoopVariable(node);
      this.#visit(child, inner, depth + 1);
      if (kind !== 'ends' || !before) return;
      for (const name of this.#variables.keys()) if (!before.has(name)) this.#variables.delete(name);
      before = undefined;
    });
    if (node.type === 'Command' && !node.name && isPlainAssignment(node)) this.#assign(node);
    if (isLoop) this.#loops--;
  }

  #note(node: SyntaxNode, source: string): void {
    switch (node.type) {
      case 'Word':
        if (/[$`]/.test(literalText(node))) this.#quotesCode = true;
        return;
      case 'SimpleExpansion':
      case 'ParameterExpansion':
        this.#use(variableOf(node) ?? '');
        return;
      case 'Pipeline':
        // `|&` pipes what a program complains about as well.
        if (node.commands.length <= MAX_PIPE && !node.operators.includes('|&'))
          for (const [at, command] of node.commands.entries())
            this.#feeders.set(command, node.commands.slice(0, at));
        return;
      case 'Redirect':
        if (node.operator === '<' && node.target) this.#addInput(node.target);
        return;
      case 'TestUnary':
        if (FILE_TESTS.test(node.operator)) this.#inputs.push(...this.#expand(node.operand));
        return;
      case 'TestBinary':
        if (FILE_TESTS.test(node.operator))
          this.#inputs.push(...this.#expand(node.left), ...this.#expand(node.right));
        return;
      case 'Select':
      case 'Function':
        this.#definesFunction ||= node.type === 'Function';
        this.#oddity ??= 'defines a function or a menu';
        return;
      case 'Statement':
        if (node.background) this.#oddity ??= 'goes on in the background';
        return;
      case 'Command':
        if (node.name) this.#addCommand(node, source);
        return;
      default:
    }
  }

  #addCommand(node: Command, source: string): void {
    const { words, stdin, source: written, redirects } = readCommand(node, source, this.#home);
    const values: WordValues[] = [];
    for (const word of [node.name, ...node.args]) {
      if (word?.type === 'Word') values.push(...this.#expand(word));
      else values.push('any');
    }
    const feeders = this.#feedersOf(node);
    const isRequired = this.#required.has(node);
    const command = { words, source: written, stdin, values, feeders, redirects, isRequired };
    this.#byNode.set(node, command);
    this.#commands.push(command);
    const [name] = words;
    if (name === 'read')
      for (const arg of words.slice(1))
        if (arg !== undefined && !arg.startsWith('-')) this.#set(arg, ['any']);
    // A folder that is changed again and again: nobody knows where the other commands run.
    if (name === 'cd') this.#changesFolder = true;
    if (name === 'cd' && this.#loops > 0) this.#doubt('changes the folder in a loop');
    // What was `.` for `$PWD` is another folder now.
    if (name === 'cd' && this.#text.includes('PWD'))
      for (const known of this.#variables.keys()) this.#variables.set(known, 'any');
  }

  /** A file that is only known when it runs may be `/dev/tcp/host/port`, which opens a connection. */
  #addInput(target: Word): void {
    const values = this.#expand(target);
    const isLocal = values.every(
      (value) => typeof value !== 'string' && value.every(({ text }) => !/^\/dev\/(?:tcp|udp)\//.test(text)),
    );
    if (!isLocal) this.#hazards.add(`reads from ${target.text}`);
    this.#inputs.push(...values);
  }

  #setLoopVariable({ name, wordlist }: For): void {
    this.#set(name.value, wordlist?.flatMap((word) => this.#expand(word)) ?? ['any']);
  }

  #assign({ prefix }: Command): void {
    for (const part of prefix)
      if (part.type === 'Assignment' && part.value.type !== 'ArrayValue')
        this.#set(part.name, this.#expand(part.value));
  }

  /** The commands before one in its pipe; none if one of them is no simple command. */
  #feedersOf(node: Command): readonly ShellCommand[] {
    const before = this.#feeders.get(node);
    if (!before) return NO_COMMANDS;
    const feeders = before.map((other) => this.#byNode.get(other)).filter((feeder) => feeder !== undefined);
    return feeders.length === before.length ? feeders : NO_COMMANDS;
  }

  /** `cd docs && ls && cd ..`: a command of the chain runs only if those before it succeeded. */
  #noteChain({ commands: [statement, ...others] }: ParsedScript): void {
    const chain = others.length === 0 ? statement?.command : undefined;
    if (chain?.type === 'AndOr' && chain.operators.every((operator) => operator === '&&'))
      for (const command of chain.commands) this.#required.add(command);
  }

  /** Until the line sets a variable, it has the value of the environment. */
  #use(name: string): void {
    if (!this.#variables.has(name) && !isHarmlessVariable(name)) this.#used.add(name);
  }

  /** A variable that is set in two places may hold the value of either wherever it is used. */
  #set(name: string, values: readonly WordValues[]): void {
    if (this.#assigned.has(name)) this.#doubt(`sets ${name} twice`);
    this.#assigned.add(name);
    const texts = values.flatMap((value) => (typeof value === 'string' ? [] : value));
    const areKnown = values.every((value) => typeof value !== 'string');
    this.#variables.set(name, areKnown && texts.length <= MAX_VALUES ? texts : 'any');
  }

  #doubt(why: string): void {
    this.#oddity ??= why;
    this.#uncertainty ??= why;
  }

  #expand(word: Word): readonly WordValues[] {
    const splitFolder = (): void => {
      this.#splitsFolder = true;
    };
    return expandWord(word, { home: this.#home, variables: this.#variables, splitFolder });
  }
}

/** A loop over more words than this is not followed. */
const MAX_VALUES = 64;

function readCommand(
  command: Command,
  source: string,
  home: string,
): Pick<ShellCommand, 'words' | 'source' | 'stdin' | 'redirects'> {
  const args = command.args.map((arg) =>
    arg.type === 'Assignment' ? staticAssignment(arg, home) : staticWord(arg, home),
  );
  const name = command.name && staticWord(command.name, home);
  return {
    words: [name, ...args],
    source: source.slice(command.pos, command.end),
    stdin: command.redirects.flatMap((redirect) => readInput(redirect, home)),
    redirects: command.redirects.map((redirect) => source.slice(redirect.pos, redirect.end)),
  };
}

function readInput(redirect: Redirection, home: string): readonly ShellWord[] {
  if (redirect.type === 'HereString') return [redirect.target && staticWord(redirect.target, home)];
  if (redirect.type !== 'HereDoc') return [];
  const { text } = redirect.body;
  return redirect.delimiter?.quoted || !/[$`\\]/.test(text) ? [text] : [text, undefined];
}

import type { Command, ParameterExpansionPart, Redirect, SyntaxNode, Word } from 'unbash';
import { printsNumber } from './known-output.ts';
import { literalText, staticWord } from './static-word.ts';

/** Something that a line does besides running its commands. */
export interface Hazard {
  readonly what: string;
  /** Whether text that was quoted can become code by it. */
  readonly evaluates: boolean;
}

const ARITHMETIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const NAME_TESTS = new Set(['-v', '-R']);

/** What this piece of syntax does besides running the commands in it; only a rule that spells out the line allows it. */
export function hazardOf(node: SyntaxNode, home: string): Hazard | undefined {
  switch (node.type) {
    case 'Command':
      return node.prefix.some((part) => part.type === 'Assignment') &&
        !isLineReading(node) &&
        !isPlainAssignment(node)
        ? evaluation('sets a variable')
        : undefined;
    case 'For':
    case 'Select':
      return isHarmlessName(node.name.value) ? undefined : evaluation(`sets the variable ${node.name.value}`);
    case 'FileDescriptorVariable':
      return evaluation(`sets the variable ${node.name}`);
    case 'Coproc':
      return evaluation('starts a coprocess');
    case 'Redirect':
      return redirectHazard(node, home);
    case 'ArithmeticWord':
      return /^[0-9]+$/.test(node.value) ? undefined : arithmetic();
    // What a command prints is computed as well, with the commands in it: `$(( $(cat list) ))`.
    case 'ArithmeticCommandExpansion':
      return printsNumber(node.script?.commands) ? undefined : arithmetic();
    case 'TestBinary':
      return ARITHMETIC_TESTS.has(node.operator) && !isNumber(node.left, node.right)
        ? arithmetic()
        : undefined;
    case 'TestUnary':
      return NAME_TESTS.has(node.operator) ? arithmetic() : undefined;
    case 'ParameterExpansion':
      return expansionHazard(node);
    case 'Word':
      if (/\[[^\]]*(?:\$[({]|`)/.test(literalText(node))) return subscript();
      return makesManyWords(node) ? effect('makes more words than the memory may hold') : undefined;
    default:
      return undefined;
  }
}

/** `IFS= read -r line`: the separator counts for this builtin alone. */
function isLineReading({ name, prefix }: Command): boolean {
  return name?.text === 'read' && prefix.every((part) => part.type === 'Assignment' && part.text === 'IFS=');
}

/** `n=$(ls | wc -l)`: a variable of the line that no program gets to see. */
export function isPlainAssignment({ name, prefix }: Command): boolean {
  return (
    name === undefined &&
    prefix.every(
      (part) =>
        part.type === 'Assignment' &&
        isHarmlessName(part.name) &&
        !part.append &&
        !part.index &&
        part.value.type !== 'ArrayValue',
    )
  );
}

function redirectHazard(redirect: Redirect, home: string): Hazard | undefined {
  const { operator, target: word } = redirect;
  const target = word && staticWord(word, home);
  if (target === '/dev/null') return undefined;
  const isDescriptor = target !== undefined && /^(?:[0-9]+-?|-)$/.test(target);
  switch (operator) {
    case '>&':
    case '<&':
      return isDescriptor ? undefined : effect(`redirects to ${word?.text}`);
    // What it reads is judged with the values of the line's variables.
    case '<':
      return undefined;
    default:
      return effect(`writes to ${word?.text}`);
  }
}

function expansionHazard({
  parameter,
  prefix,
  index,
  operation,
}: ParameterExpansionPart): Hazard | undefined {
  if (prefix === '!') return evaluation('reads a variable by the name in another');
  if (index && !/^(?:[0-9]+|[@*])$/.test(index.value)) return arithmetic();
  switch (operation?.type) {
    case 'Default':
      return operation.operator.endsWith('=') ? evaluation(`sets the variable ${parameter}`) : undefined;
    case 'Slice':
      return isNumber(operation.offset, operation.length) ? undefined : arithmetic();
    case 'Transform':
      return evaluation('evaluates a variable');
    default:
      return undefined;
  }
}

/** Exported variables are written in capitals (POSIX), proxies with `_`, and zsh ties `path` to PATH. */
function isHarmlessName(name: string): boolean {
  return /^[a-z][a-z0-9]*$/.test(name) && !name.endsWith('path');
}

function isNumber(...words: (Word | undefined)[]): boolean {
  return words.every((word) => word === undefined || /^\s*-?[0-9]+$/.test(word.text));
}

/** The shell makes all words before it runs anything. */
const MOST_WORDS = 100_000;

/** `{1..9999}{1..9999}` is a hundred million words. */
function makesManyWords({ parts = [] }: Word): boolean {
  return (
    parts.reduce((words, part) => words * (part.type === 'BraceExpansion' ? wordsIn(part.text) : 1), 1) >
    MOST_WORDS
  );
}

/** How many words braces make; more, where there are braces in them. */
function wordsIn(braces: string): number {
  let words = 1;
  for (let text = braces, found = INNERMOST.exec(text); found; found = INNERMOST.exec(text)) {
    const [group, inner = ''] = found;
    const [, from, to] = /^(-?\d+)\.\.(-?\d+)/.exec(inner) ?? [];
    if (from !== undefined) words *= Math.abs(Number(to) - Number(from)) + 1;
    else words *= inner.includes('..') ? MOST_LETTERS : inner.split(',').length;
    text = text.replace(group, '');
  }
  return words;
}

const INNERMOST = /\{([^{}]*)\}/;

/** `{A..z}` */
const MOST_LETTERS = 58;

/** Arithmetic evaluates the text in a variable, with the commands in its subscripts. */
function arithmetic(): Hazard {
  return evaluation('computes with a variable');
}

/** Builtins evaluate subscripts in their arguments: `[ -v 'a[$(command)]' ]` runs the quoted command. */
function subscript(): Hazard {
  return evaluation('quotes a command in a subscript');
}

function evaluation(what: string): Hazard {
  return { what, evaluates: true };
}

function effect(what: string): Hazard {
  return { what, evaluates: false };
}

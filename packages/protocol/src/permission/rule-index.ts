import { subjectPath } from './call-subject.ts';
import { hostLabels } from './domain-pattern.ts';
import { foldName, splitPath } from './path-pattern.ts';
import { type RuleContent, tryContent } from './rule-content.ts';
import { PermissionRuleError } from './rule-error.ts';
import type { CommandPattern } from './shell/command-pattern.ts';
import { baseName } from './shell/programs.ts';
import type { ShellCommand, ShellLine } from './shell/shell-line.ts';
import { type ReadCall, type ScopedRule, textField } from './tool-call.ts';
import { ruleNamesFor } from './tool-name.ts';

/** A rule with its content, read once. */
export interface IndexedRule {
  readonly rule: ScopedRule;
  readonly content: RuleContent | PermissionRuleError;
  readonly order: number;
}

interface Bucket {
  readonly all: IndexedRule[];
  /** Rules that any call of the tool may match. */
  readonly general: IndexedRule[];
  /** Rules that only a call can match which has this key. */
  readonly byKey: Map<string, IndexedRule[]>;
}

/** So few are compared sooner than sorted: what a person is offered with a question is a list for this one call. */
const FEW_RULES = 3;

const INDEXES = new WeakMap<readonly ScopedRule[], RuleIndex>();

/** Rules, found by what a call must have in common with them: a decision among 10,000 compares a few. */
export class RuleIndex {
  readonly #home: string;
  readonly #buckets = new Map<string, Bucket>();
  /** Rules that are compared with every call: those whose tool has a `*` in its name, and all of a short list. */
  readonly #unsorted: IndexedRule[] = [];

  /** The index of a list, which must not be changed afterwards; it is made once. */
  static of(rules: readonly ScopedRule[], home: string): RuleIndex {
    const known = INDEXES.get(rules);
    if (known && known.#home === home) return known;
    const index = new RuleIndex(rules, home);
    INDEXES.set(rules, index);
    return index;
  }

  private constructor(rules: readonly ScopedRule[], home: string) {
    this.#home = home;
    for (const [order, rule] of rules.entries()) {
      const entry = { rule, content: knownContent(rule, home), order };
      if (rule.toolName.includes('*') || rules.length <= FEW_RULES) this.#unsorted.push(entry);
      else this.#add(entry);
    }
  }

  /** Every rule that may match a call, in the order of the list, and a few that do not. */
  candidates(call: ReadCall): readonly IndexedRule[] {
    if (this.#buckets.size === 0) return this.#unsorted;
    const found = new Set(this.#unsorted);
    let keys: readonly string[] | 'any' | undefined;
    for (const name of ruleNamesFor(call.toolName)) {
      const bucket = this.#buckets.get(name);
      if (!bucket) continue;
      for (const entry of bucket.general) found.add(entry);
      if (bucket.byKey.size === 0) continue;
      keys ??= callKeys(call);
      if (keys === 'any') for (const entry of bucket.all) found.add(entry);
      else for (const key of keys) for (const entry of bucket.byKey.get(key) ?? []) found.add(entry);
    }
    return found.size < 2 ? [...found] : [...found].toSorted((a, b) => a.order - b.order);
  }

  #add(entry: IndexedRule): void {
    const { toolName, ruleContent = '' } = entry.rule;
    const bucket: Bucket = this.#buckets.get(toolName) ?? { all: [], general: [], byKey: new Map() };
    this.#buckets.set(toolName, bucket);
    bucket.all.push(entry);
    const rarest = ways(entry.content).toSorted((a, b) => crowd(bucket, a) - crowd(bucket, b))[0];
    if (!rarest) bucket.general.push(entry);
    // A deny or ask rule may mean a field of the input.
    const [, field] = /^(\w+)\s*:/.exec(ruleContent) ?? [];
    const keys = rarest && field !== undefined ? [...rarest, `field ${field}`] : (rarest ?? []);
    for (const key of keys) {
      const same = bucket.byKey.get(key) ?? [];
      same.push(entry);
      bucket.byKey.set(key, same);
    }
  }
}

/** To read a rule takes longer than to index it: a list with one rule more reads that one. */
const CONTENTS = new WeakMap<ScopedRule, { home: string; content: RuleContent | PermissionRuleError }>();

function knownContent(rule: ScopedRule, home: string): RuleContent | PermissionRuleError {
  const known = CONTENTS.get(rule);
  if (known?.home === home) return known.content;
  const content = tryContent(rule, home);
  CONTENTS.set(rule, { home, content });
  return content;
}

/** How many rules share these keys already. */
function crowd({ byKey }: Bucket, keys: readonly string[]): number {
  return keys.reduce((sum, key) => sum + (byKey.get(key)?.length ?? 0), 0);
}

/** Ways to find a rule: a call that it matches has one of the keys of each way. None where that cannot be said. */
function ways(content: RuleContent | PermissionRuleError): readonly (readonly string[])[] {
  if (content instanceof PermissionRuleError) return [];
  switch (content.kind) {
    case 'command':
      return commandKeys(content.pattern);
    case 'path':
      return content.pattern.names
        .filter((name) => !/[*?[\]\\]/.test(name))
        .map((name) => [`name ${foldName(name)}`]);
    case 'domain':
      return content.pattern.filter((label) => !label.includes('*')).map((label) => [`label ${label}`]);
    default:
      return [];
  }
}

/** The first word, as it is written and without its quotes. */
function commandKeys({ program, content }: CommandPattern): readonly (readonly string[])[] {
  const written = firstWord(content.replace(/(?::| )\*$/, ''));
  if (program === undefined || written.includes('*')) return [];
  return [[...new Set([`word ${program}`, `word ${written}`])]];
}

/** What a call has that rules can ask for; `any` where only running it would tell. */
function callKeys(call: ReadCall): readonly string[] | 'any' {
  const own = subjectKeys(call);
  return own === 'any' ? own : [...own, ...Object.keys(call.input).map((field) => `field ${field}`)];
}

function subjectKeys(call: ReadCall): readonly string[] | 'any' {
  if (call.toolName === 'Bash') return shellKeys(call.shell);
  if (call.toolName === 'WebFetch')
    return hostLabels(textField(call, 'url')).map((label) => `label ${label}`);
  const path = subjectPath(call, call.context);
  return path === undefined ? 'any' : splitPath(path, call.context).map((name) => `name ${foldName(name)}`);
}

/** A line is compared with several lists in a row. */
const SHELL_KEYS = new WeakMap<ShellLine, readonly string[] | 'any'>();

function shellKeys({ line, revealed }: ReadCall['shell']): readonly string[] | 'any' {
  const known = SHELL_KEYS.get(line);
  if (known) return known;
  const keys = findShellKeys(line, revealed);
  SHELL_KEYS.set(line, keys);
  return keys;
}

function findShellKeys(line: ShellLine, revealed: readonly ShellCommand[]): readonly string[] | 'any' {
  const names = new Set([firstWord(line.text)]);
  for (const commands of [line.commands, revealed]) {
    for (const { words, source } of commands) {
      const [program] = words;
      if (program === undefined) return 'any';
      names.add(firstWord(source));
      names.add(program);
      names.add(program.slice(program.lastIndexOf('/') + 1));
      names.add(baseName(program));
    }
  }
  return Array.from(names, (name) => `word ${name}`);
}

function firstWord(text: string): string {
  return /\S+/.exec(text)?.[0] ?? '';
}

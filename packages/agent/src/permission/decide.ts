import { dirname } from 'node:path';
import {
  type JsonObject,
  type Judgement,
  judgeCall,
  type PathContext,
  type PermissionMode,
  type PermissionRule,
  type RuleSets,
  soundsSecret,
  suggestRules,
} from '@signalbox/protocol';
import { needsOwnRule } from '../base/private-network.ts';
import { isInside } from '../base/real-path.ts';
import { otherNames, severallyNamed } from './hard-links.ts';
import { isProtected } from './protected-paths.ts';
import { readRulesForPaths } from './read-filter.ts';
import { filesBelow, type ShellReads, shellReads } from './shell-reads.ts';

/** A call to decide about. */
export interface CallFacts {
  toolName: string;
  /** What rules that deny or ask may call the tool as well. */
  otherName?: string;
  input: JsonObject;
  /** The files it would touch: real paths, links were followed. */
  paths: readonly string[];
  /** The same files by the names that the call has for them; a rule may forbid a name. */
  namedPaths?: readonly string[];
  isReadOnly: boolean;
  isEdit: boolean;
  needsPerson: boolean;
  /** It is a command that is confined, and confined commands need no permission. */
  isConfined?: boolean;
  /** The folder that a command is run in, if it is not the one where the session began. */
  runsIn?: string;
}

/** What is in force when the call is made. Folders are real paths. */
export interface PermissionFacts {
  mode: PermissionMode;
  rules: RuleSets;
  cwd: string;
  home: string;
  /** The folders the agent may work in, the working directory first. */
  folders: readonly string[];
}

/** A change that a person may want to make together with the answer. */
export type Suggestion =
  | {
      type: 'addRules';
      rules: readonly PermissionRule[];
      behavior: 'allow';
      destination: 'localSettings' | 'session';
    }
  | { type: 'setMode'; mode: PermissionMode; destination: 'session' }
  | { type: 'addDirectories'; directories: string[]; destination: 'session' };

/** What may be done with a call, and why. */
export interface Decision {
  behavior: 'allow' | 'deny' | 'ask';
  /** For people. */
  reason: string;
  /** What kind of thing decided; for programs. */
  because: 'rule' | 'mode' | 'hook' | 'workingDir' | 'protectedPath' | 'person' | 'other';
  suggestions: readonly Suggestion[];
  /** The path that made the agent ask. */
  blockedPath?: string;
}

/** A yes to one of these holds for this call only: no rule is suggested. */
const HOLDS_ONCE: ReadonlySet<Decision['because']> = new Set(['rule', 'protectedPath', 'person']);

/** Decides about a call. A question comes with the rules that would answer it the next time. */
export function decide(call: CallFacts, facts: PermissionFacts): Decision {
  const shell = readsOfCall(call, facts);
  const decision = settle(call, facts, shell);
  if (decision.behavior !== 'ask' || HOLDS_ONCE.has(decision.because)) return decision;
  const holding = [suggest(call, facts), suggestWhole(call)].find(
    (suggestions) =>
      suggestions.length > 0 && settle(call, withSuggestions(facts, suggestions), shell).behavior === 'allow',
  );
  return holding ? { ...decision, suggestions: holding } : decision;
}

/** A longer line is not offered word for word: a person could not read what they agree to. */
const MAX_OFFERED_LENGTH = 200;

/** Suggests a rule for exactly this line, where a rule for its programs would not cover it. */
function suggestWhole({ toolName, input }: CallFacts): Suggestion[] {
  const line = toolName === 'Bash' ? String(input.command).trim() : '';
  if (line === '' || line.length > MAX_OFFERED_LENGTH || /[*\n\\]/.test(line)) return [];
  const rules = [{ toolName, ruleContent: line }];
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }];
}

/**
 * The order matters: deny rules, ask rules, what needs a person, bypassing, protected files, plan mode, allow rules,
 * what is confined or harmless. Everything else is asked about, or denied where nothing may be asked.
 */
function settle(call: CallFacts, facts: PermissionFacts, shell: ShellReads | undefined): Decision {
  const { mode } = facts;
  const outside = outsidePath(shell ? shell.paths : call.paths, facts);
  const context = { cwd: facts.cwd, home: facts.home };
  const { behavior, reason, rule } = judgeBothNames(call, facts.rules, context);
  const reading = shell ? forbiddenRead(shell, facts) : forbiddenTwin(call.paths, facts);
  const ask = (why: string, because: Decision['because']): Decision => ({
    behavior: mode === 'dontAsk' ? 'deny' : 'ask',
    reason: mode === 'dontAsk' ? `${why}, and the mode is dontAsk` : why,
    because,
    suggestions: [],
    ...blocked(outside ?? outsidePath(commandPaths(call), facts)),
  });
  if (behavior === 'deny') return settled('deny', reason, 'rule');
  if (reading?.behavior === 'deny') return settled('deny', reading.reason, 'rule');
  if (behavior === 'ask') return ask(reason, 'rule');
  if (reading?.behavior === 'ask') return ask(reading.reason, 'rule');
  if (call.needsPerson) return ask('only a person can answer this', 'person');
  if (mode === 'bypassPermissions') return settled('allow', 'permissions are bypassed', 'mode');
  const guarded = call.isReadOnly ? undefined : call.paths.find(isProtected);
  if (guarded !== undefined)
    return { ...ask(`${guarded} decides what runs later`, 'protectedPath'), blockedPath: guarded };
  if (mode === 'plan' && call.isEdit) return settled('deny', 'plan mode changes nothing', 'mode');
  const isPrivatePage = call.toolName === 'WebFetch' && needsOwnRule(call.input.url, facts.rules.allow);
  const concern = shell && concernOf(shell, outside, facts);
  const isCovered = concern === undefined || spellsOut(rule, call);
  if (behavior === 'allow' && !isPrivatePage && isCovered) return settled('allow', reason, 'rule');
  if (call.isConfined && mode !== 'plan') return settled('allow', 'it runs in the sandbox', 'other');
  if (outside !== undefined) return ask(reasonOutside(outside, shell), 'workingDir');
  if (call.isReadOnly) return settled('allow', 'it only reads', 'other');
  if (call.isEdit && mode === 'acceptEdits') return settled('allow', 'edits are accepted', 'mode');
  if (shell) {
    const doubt =
      shell.refusal ?? (shell.variables[0] && `it uses the variable ${shell.variables[0]}`) ?? concern;
    if (doubt === undefined) return settled('allow', 'it only reads', 'other');
    return ask(behavior === 'allow' && concern ? concern : `no rule allows it: ${doubt}`, 'other');
  }
  return ask('no rule allows it', 'other');
}

function readsOfCall(
  { toolName, input, runsIn }: CallFacts,
  { cwd, home }: PermissionFacts,
): ShellReads | undefined {
  if (toolName !== 'Bash' || typeof input.command !== 'string') return undefined;
  return shellReads(input.command, runsIn ?? cwd, home);
}

/** What a rule for a program does not cover: reads outside of the working directories, secrets, and git in a folder where it may run a program. */
function concernOf(
  shell: ShellReads,
  outside: string | undefined,
  facts: PermissionFacts,
): string | undefined {
  if (outside !== undefined) return reasonOutside(outside, shell);
  if (shell.concern !== undefined) return shell.concern;
  const secret = shell.variables.find(soundsSecret);
  if (secret !== undefined) return `it uses the variable ${secret}`;
  for (const below of shell.below) {
    if (below.includes !== 'links' && !below.splits) continue;
    const files = filesBelow(below, facts.folders);
    const away = typeof files === 'string' ? files : outsidePath(files, facts);
    if (away !== undefined) return `${away} is outside of the working directories`;
  }
  return undefined;
}

/** The model reads the reason as well: it must not learn a file's name by trying patterns. */
function reasonOutside(path: string, shell: ShellReads | undefined): string {
  const what = shell?.fitted.has(path) ? `a file in ${dirname(path)}` : path;
  return `${what} is outside of the working directories`;
}

/** Whether a rule allows every command, or has this one word for word. */
function spellsOut(rule: PermissionRule | undefined, { input }: CallFacts): boolean {
  const content = rule?.ruleContent?.trim();
  return content === undefined || content === '*' || content === String(input.command).trim();
}

/** Whether the rules about reading files forbid what a line reads, or have it asked about. */
function forbiddenRead(
  shell: ShellReads,
  { rules, cwd, home, folders }: PermissionFacts,
): { behavior: 'deny' | 'ask'; reason: string } | undefined {
  const reading: RuleSets = {
    deny: readRulesForPaths(rules.deny),
    ask: readRulesForPaths(rules.ask),
    allow: [],
  };
  if (reading.deny.length + reading.ask.length === 0) return undefined;
  const twin = forbiddenTwin(shell.paths, { rules, cwd, home });
  if (twin) return twin;
  const isTwin =
    shell.below.length > 0 ? otherNames([...reading.deny, ...reading.ask], { cwd, home }) : undefined;
  for (const path of [...shell.paths, ...shell.names()]) {
    const { behavior, reason } = judgeCall({ toolName: 'Read', input: { file_path: path } }, reading, {
      cwd,
      home,
    });
    if (behavior === 'deny' || behavior === 'ask') return { behavior, reason: `${path}: ${reason}` };
  }
  for (const below of shell.below) {
    const files = filesBelow(below, folders);
    if (typeof files === 'string') return { behavior: 'ask', reason: files };
    for (const path of files) {
      const { behavior, reason } = judgeCall({ toolName: 'Read', input: { file_path: path } }, reading, {
        cwd,
        home,
      });
      if (behavior === 'deny' || behavior === 'ask')
        return { behavior: 'ask', reason: `it may read ${path}, and ${reason}` };
      if (isTwin?.(path)) return { behavior: 'ask', reason: `it may read ${path}, and that is ${TWIN}` };
    }
  }
  return undefined;
}

const TWIN = 'a file that a rule keeps from being read, by another name';

/** Whether one of these files is also one that the rules about reading forbid, by a hard link. */
function forbiddenTwin(
  paths: readonly string[],
  { rules, cwd, home }: Pick<PermissionFacts, 'rules' | 'cwd' | 'home'>,
): { behavior: 'deny' | 'ask'; reason: string } | undefined {
  const about = { deny: readRulesForPaths(rules.deny), ask: readRulesForPaths(rules.ask) };
  if (about.deny.length + about.ask.length === 0) return undefined;
  const named = severallyNamed(paths);
  if (named.length === 0) return undefined;
  for (const behavior of ['deny', 'ask'] as const) {
    const reading = about[behavior];
    const found = named.find(otherNames(reading, { cwd, home }) ?? (() => false));
    if (found !== undefined) return { behavior, reason: `${found} is ${TWIN}` };
  }
  return undefined;
}

function blocked(path: string | undefined): Pick<Decision, 'blockedPath'> {
  return path === undefined ? {} : { blockedPath: path };
}

/** A longer command is not searched for paths to show. */
const MAX_SEARCHED_LENGTH = 10_000;

/** Words of a command that are absolute paths. They only tell people where it reaches: nothing is decided by them. */
function commandPaths({ toolName, input }: CallFacts): string[] {
  if (toolName !== 'Bash' || typeof input.command !== 'string' || input.command.length > MAX_SEARCHED_LENGTH)
    return [];
  return input.command
    .split(/[\s'"`;|&<>()=]+/)
    .filter((word) => word.startsWith('/') && !word.startsWith('/dev/'));
}

function settled(behavior: 'allow' | 'deny', reason: string, because: Decision['because']): Decision {
  return { behavior, reason, because, suggestions: [] };
}

/**
 * Rules are compared with where a path really leads; one that denies or asks, also with the name of a link, and with
 * the other name of a tool.
 */
function judgeBothNames(call: CallFacts, rules: RuleSets, context: PathContext): Judgement {
  const judgement = judgeCall(judgedCall(call), rules, context);
  const { toolName, otherName = toolName, paths, namedPaths = paths } = call;
  if (judgement.behavior === 'deny' || (namedPaths[0] === paths[0] && otherName === toolName))
    return judgement;
  const asNamed = judgeCall(judgedCall({ ...call, toolName: otherName, paths: namedPaths }), rules, context);
  return asNamed.behavior === 'deny' || asNamed.behavior === 'ask' ? asNamed : judgement;
}

function judgedCall({ toolName, input, paths: [path] }: CallFacts): { toolName: string; input: JsonObject } {
  if (path === undefined) return { toolName, input };
  const key = ['file_path', 'notebook_path'].find((name) => typeof input[name] === 'string') ?? 'path';
  // The path of a glob already has the folders that its pattern begins with.
  const pattern = toolName === 'Glob' ? { pattern: wildPart(String(input.pattern)) } : {};
  return { toolName, input: { ...input, [key]: path, ...pattern } };
}

/** A pattern from its first wildcard on. */
function wildPart(pattern: string): string {
  const names = pattern.split('/');
  const first = names.findIndex((name) => /[*?[\]{}!()\\]/.test(name));
  return names.slice(first).join('/');
}

function outsidePath(paths: readonly string[], { folders }: PermissionFacts): string | undefined {
  return paths.find((path) => !folders.some((folder) => isInside(path, folder)));
}

function suggest(call: CallFacts, facts: PermissionFacts): Suggestion[] {
  const outside = outsidePath(call.paths, facts);
  const suggestions: Suggestion[] = [];
  if (outside !== undefined)
    suggestions.push({ type: 'addDirectories', directories: [dirname(outside)], destination: 'session' });
  if (call.isEdit) return [...suggestions, { type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
  const rules = suggestRules(judgedCall(call), { cwd: facts.cwd, home: facts.home });
  if (rules.length > 0)
    suggestions.push({ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' });
  return suggestions;
}

function withSuggestions(facts: PermissionFacts, suggestions: readonly Suggestion[]): PermissionFacts {
  return suggestions.reduce((now, suggestion): PermissionFacts => {
    const { rules, folders } = now;
    if (suggestion.type === 'setMode') return { ...now, mode: suggestion.mode };
    if (suggestion.type === 'addDirectories')
      return { ...now, folders: [...folders, ...suggestion.directories] };
    // Those that are suggested cover the call by themselves; all of them together would have to be indexed anew.
    return { ...now, rules: { ...rules, allow: suggestion.rules } };
  }, facts);
}

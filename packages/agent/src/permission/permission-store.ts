import {
  formatRule,
  isPermissionMode,
  messageOf,
  type PermissionDestination,
  type PermissionMode,
  type PermissionRule,
  PermissionRuleError,
  type PermissionUpdate,
  parseRule,
  type RuleSets,
  type ScopedRule,
  sameJson,
} from '@signalbox/protocol';
import { AGENT_MODES } from '../base/permission-modes.ts';
import type { PermissionEntry, RuleSource } from '../settings/rule-source.ts';
import { type ModeRefusal, PermissionModeError } from './mode-error.ts';

const BEHAVIORS = ['allow', 'deny', 'ask'] as const;

/** Called when an update is to outlive the session; writes it to its settings file. */
export type KeepUpdate = (destination: RuleSource, entry: Readonly<PermissionEntry>) => Promise<void>;

/** The rules, folders and mode that are in force, by where they came from. */
export class PermissionStore {
  #mode: PermissionMode = 'default';
  readonly #bypassRefusal: ModeRefusal | undefined;
  readonly #entries = new Map<RuleSource, PermissionEntry>();
  /** Made anew after each change: whoever has the lists may rely on them. */
  #rules: RuleSets | undefined;
  readonly #scoped = new WeakMap<PermissionRule, ScopedRule>();
  readonly #roots: Partial<Record<RuleSource, string>>;
  readonly #keep: KeepUpdate;
  readonly #onProblem: (problem: string) => void;
  readonly #listeners = new Set<() => void>();
  readonly #modeListeners = new Set<(mode: PermissionMode) => void>();

  constructor(options: {
    mode: PermissionMode;
    /** Why `bypassPermissions` cannot be entered; absent where it can. */
    bypassRefusal?: ModeRefusal | undefined;
    onProblem?: (problem: string) => void;
    roots?: Partial<Record<RuleSource, string>>;
    keep?: KeepUpdate;
  }) {
    this.#bypassRefusal = options.bypassRefusal;
    this.#onProblem = options.onProblem ?? (() => {});
    this.#trySetMode(options.mode);
    this.#roots = options.roots ?? {};
    this.#keep = options.keep ?? (() => Promise.resolve());
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  /** The only way into a mode, whoever asks for it. Throws {@link PermissionModeError} for one that is not allowed. */
  setMode(mode: PermissionMode): void {
    this.assertAllowed(mode);
    if (mode === this.#mode) return;
    this.#mode = mode;
    for (const listener of this.#modeListeners) listener(mode);
  }

  /** Told whenever another mode was entered. */
  onMode(listener: (mode: PermissionMode) => void): void {
    this.#modeListeners.add(listener);
  }

  /** Throws {@link PermissionModeError} for a mode that this session may not enter, nor its sub-agents. */
  assertAllowed(mode: PermissionMode): void {
    if (!AGENT_MODES.includes(mode)) throw new PermissionModeError(mode, 'unsupported');
    if (mode === 'bypassPermissions' && this.#bypassRefusal)
      throw new PermissionModeError(mode, this.#bypassRefusal);
  }

  /** What a source says at the start, as texts. Throws `PermissionRuleError` for a rule that cannot be read. */
  load(source: RuleSource, texts: Partial<Record<keyof PermissionEntry, readonly string[]>>): void {
    const entry = this.#entry(source);
    for (const behavior of BEHAVIORS)
      entry[behavior].push(...(texts[behavior] ?? []).map((text) => parseRule(text)));
    entry.directories.push(...(texts.directories ?? []));
  }

  /** The same, in the place of what the source said before. */
  reload(source: RuleSource, texts: Partial<Record<keyof PermissionEntry, readonly string[]>>): void {
    this.#entries.delete(source);
    this.load(source, texts);
  }

  /** What a command or a skill needs, until the turn is over. */
  allowForTurn(allow: readonly string[]): void {
    if (allow.length > 0) this.load('command', { allow });
  }

  endTurn(): void {
    if (this.#entries.delete('command')) this.#rules = undefined;
  }

  /** The rules of all sources, each with the folder that a leading `/` in its path means. */
  get rules(): RuleSets {
    this.#rules ??= this.#collectRules();
    return this.#rules;
  }

  #collectRules(): RuleSets {
    const sets: Record<(typeof BEHAVIORS)[number], ScopedRule[]> = { allow: [], deny: [], ask: [] };
    for (const [source, entry] of this.#entries) {
      const root = this.#roots[source];
      for (const behavior of BEHAVIORS) {
        for (const rule of entry[behavior]) sets[behavior].push(this.#withRoot(rule, root));
      }
    }
    return sets;
  }

  /** The same object each time: what was read of a rule is kept for it. */
  #withRoot(rule: PermissionRule, root: string | undefined): ScopedRule {
    if (root === undefined) return rule;
    const scoped = this.#scoped.get(rule) ?? { ...rule, root };
    this.#scoped.set(rule, scoped);
    return scoped;
  }

  /** Folders beside the working directory. */
  get directories(): readonly string[] {
    return [...this.#entries.values()].flatMap(({ directories }) => directories);
  }

  /** Carry out what a host answered; what is meant for a settings file is also kept there. */
  async apply(updates: readonly PermissionUpdate[]): Promise<void> {
    for (const update of updates) {
      const destination = destinationOf(update);
      if (this.#change(update, destination)) await this.#keep(destination, this.#entry(destination));
    }
    if (updates.length > 0) for (const listener of this.#listeners) listener();
  }

  /** Told after what a host answered has changed something. Returns the way to stop it. */
  onApplied(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** False when the update changes no rules or folders. */
  #change(update: PermissionUpdate, destination: PermissionDestination): boolean {
    const entry = this.#entry(destination);
    switch (update.type) {
      case 'setMode':
        if (isPermissionMode(update.mode)) this.#trySetMode(update.mode);
        return false;
      case 'addRules':
      case 'replaceRules':
      case 'removeRules': {
        const behavior = BEHAVIORS.find((known) => known === update.behavior);
        if (!behavior) return false;
        const isAdded = update.type !== 'removeRules' && behavior === 'allow';
        const named = update.rules.map(plainRule).filter((rule) => !isAdded || this.#isReadable(rule));
        const names = new Set(named.map(formatRule));
        const others = entry[behavior].filter((rule) => !names.has(formatRule(rule)));
        if (update.type === 'replaceRules') entry[behavior] = named;
        else entry[behavior] = update.type === 'addRules' ? [...others, ...named] : others;
        return true;
      }
      case 'addDirectories':
      case 'removeDirectories': {
        const others = entry.directories.filter((folder) => !update.directories.includes(folder));
        entry.directories = update.type === 'addDirectories' ? [...others, ...update.directories] : others;
        return true;
      }
      default:
        return false;
    }
  }

  /** Kept as a text, a rule like `{ toolName: 'Bash(rm:*)' }` would be another one in the next session. */
  #isReadable(rule: PermissionRule): boolean {
    try {
      if (sameJson(parseRule(formatRule(rule)), rule)) return true;
    } catch (error) {
      if (!(error instanceof PermissionRuleError)) throw error;
    }
    this.#onProblem(
      `The answer has the rule ${JSON.stringify(rule)}, which cannot be read. It allows nothing.`,
    );
    return false;
  }

  /** Keeps the mode, and says so, where another one is not allowed. */
  #trySetMode(mode: PermissionMode): void {
    try {
      this.setMode(mode);
    } catch (error) {
      this.#onProblem(`${messageOf(error)}. The mode stays ${this.#mode}.`);
    }
  }

  /** The entry of a source, to be changed. */
  #entry(source: RuleSource): PermissionEntry {
    this.#rules = undefined;
    const entry = this.#entries.get(source) ?? { allow: [], deny: [], ask: [], directories: [] };
    this.#entries.set(source, entry);
    return entry;
  }
}

function plainRule({
  toolName,
  ruleContent,
}: {
  toolName: string;
  ruleContent?: string | null | undefined;
}): PermissionRule {
  return typeof ruleContent === 'string' ? { toolName, ruleContent } : { toolName };
}

/** An unknown destination is kept for the session only: the shortest of all lives. */
function destinationOf(update: PermissionUpdate): PermissionDestination {
  const known = ['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'] as const;
  return known.find((name) => 'destination' in update && name === update.destination) ?? 'session';
}

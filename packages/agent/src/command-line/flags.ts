/** What follows a flag: nothing, one value, a value that may be left out, or as many as stand before the next flag. */
type Takes = 'nothing' | 'value' | 'optional-value' | 'values';

/** A flag of the command line. */
export interface Flag {
  name: string;
  takes: Takes;
  /** Other spellings, with their dashes. */
  aliases?: readonly string[];
  /** How the value is called in the help. */
  value?: string;
  help: string;
}

/** Flags under a heading of the help. */
export interface FlagGroup {
  title: string;
  flags: readonly Flag[];
}

function flag<const Name extends string>(
  name: Name,
  help: string,
  more: Partial<Omit<Flag, 'name' | 'help'>> = {},
): Flag & { name: Name } {
  return { name, takes: more.value === undefined ? 'nothing' : 'value', help, ...more };
}

const HOW = [
  flag('print', 'answer once, or as long as a host sends prompts, and exit', { aliases: ['-p'] }),
  flag('output-format', 'how to write the answer (default: text)', { value: 'text|json|stream-json' }),
  flag('input-format', 'how prompts arrive on stdin (default: text)', { value: 'text|stream-json' }),
  flag('verbose', 'with json: every message, not only the result'),
  flag('include-partial-messages', 'with stream-json: also the reply as it is being written'),
  flag('replay-user-messages', 'with stream-json: repeat prompts on stdout when they are taken'),
  flag('forward-subagent-text', 'with stream-json: also what sub-agents say and think'),
  flag('sdk-url', 'dial this WebSocket and let the host there drive', { value: 'ws://…' }),
];

const MODEL = [
  flag('model', 'a full name, or opus, sonnet, haiku', { value: 'name' }),
  flag('fallback-model', 'the model to use when the first is overloaded', { value: 'name' }),
  flag('max-turns', 'stop after so many replies of the model', { value: 'n' }),
  flag('max-budget-usd', 'stop when the session has cost so much', { value: 'dollars' }),
  flag('max-thinking-tokens', 'how much the model may think before it answers', { value: 'n' }),
  flag('thinking', 'let the model decide how much it thinks, or not at all', { value: 'adaptive|disabled' }),
  flag('effort', 'how hard the model tries', { value: 'low|medium|high|xhigh|max' }),
  flag('betas', 'beta features to ask the API for', { takes: 'values', value: 'name …' }),
  flag('system-prompt', 'instructions in place of the built-in ones', { value: 'text' }),
  flag('system-prompt-file', 'the same, from a file', { value: 'file' }),
  flag('append-system-prompt', 'instructions after the built-in ones', { value: 'text' }),
  flag('json-schema', 'the result must fit this JSON Schema', { value: 'schema' }),
];

const PERMISSIONS = [
  flag('tools', 'the tools to offer: a list, "default", or "" for none', {
    takes: 'values',
    value: 'name …',
  }),
  flag('allowed-tools', 'what needs no permission, for example "Bash(git:*)" Edit', {
    takes: 'values',
    aliases: ['--allowedTools'],
    value: 'rule …',
  }),
  flag('disallowed-tools', 'what is always refused', {
    takes: 'values',
    aliases: ['--disallowedTools'],
    value: 'rule …',
  }),
  flag('permission-mode', 'default, acceptEdits, plan, dontAsk or bypassPermissions', { value: 'mode' }),
  flag('permission-prompt-tool', 'who is asked for permissions: the host, or an MCP tool', {
    value: 'stdio|mcp__…',
  }),
  flag('sandbox', 'confine commands to the working directories, without network'),
  flag('add-dir', 'more folders to work in', { takes: 'values', value: 'folder …' }),
  flag('dangerously-skip-permissions', 'ask for nothing; only where nothing can be broken'),
  flag('allow-dangerously-skip-permissions', 'let the host switch to bypassPermissions later'),
];

const SESSION = [
  flag('session-id', 'the id of the new session', { value: 'uuid' }),
  flag('continue', 'go on with the newest session of this folder', { aliases: ['-c'] }),
  flag('resume', 'go on with this session', {
    takes: 'optional-value',
    aliases: ['-r'],
    value: 'id|url|file.jsonl',
  }),
  flag('teleport', 'fetch a session from a hub and go on with it here', { value: 'id|url' }),
  flag('resume-session-at', 'with --resume: forget what came after this message', { value: 'uuid' }),
  flag('fork-session', 'go on under a new id, and leave the old session as it is'),
  flag('resume-drops-turn', 'with --resume-session-at: refuse if more than this turn is left out', {
    value: 'uuid',
  }),
  flag('await-claim', 'with stream-json: start ahead, and let the host say later which session to be'),
  flag('rewind-files', 'put files back to what they were at this message, and exit', { value: 'uuid' }),
  flag('no-session-persistence', 'keep no transcript'),
  flag('settings', 'more settings: JSON, or a file', { value: 'JSON|file' }),
  flag('managed-settings', 'settings that nothing else overrules, from the host: JSON', { value: 'JSON' }),
  flag('setting-sources', 'which settings files to read (default: all)', { value: 'user,project,local' }),
];

const AROUND = [
  flag('mcp-config', 'MCP servers: JSON, or a file', { takes: 'values', value: 'JSON|file …' }),
  flag('strict-mcp-config', 'only the MCP servers of --mcp-config'),
  flag('agents', 'sub-agents: JSON with a description and a prompt for each name', { value: 'JSON' }),
  flag('agent', 'the agent to be: one of --agents, or of .claude/agents', { value: 'name' }),
  flag('plugin-dir', 'a folder with a plugin; may be said again', { value: 'folder' }),
  flag('init', 'run the Setup hooks first, with the trigger init'),
  flag('maintenance', 'run the Setup hooks first, with the trigger maintenance'),
  flag('session-mirror', 'with stream-json: also what is written to transcripts'),
  flag('include-hook-events', 'with stream-json: also when hooks start and end'),
];

/** Hosts pass these; they are understood, and said to have no effect. */
const WITHOUT_EFFECT = [
  flag('task-budget', 'how many tokens a task may take', { value: 'n' }),
  flag('thinking-display', 'how thinking is shown', { value: 'how' }),
  flag('permission-prompts', 'who is asked', { value: 'host|none' }),
  flag('await-initialize', 'wait for the host before anything else'),
  flag('project-config-root', 'where the settings of the project are', { value: 'folder' }),
];

const OTHER = [
  flag('debug', 'say on stderr what it does: all, or what has these words', {
    takes: 'optional-value',
    value: 'words',
  }),
  flag('debug-file', 'the same, into a file', { value: 'file' }),
  flag('version', 'print the version and exit', { aliases: ['-v'] }),
  flag('help', 'print this and exit', { aliases: ['-h'] }),
];

/** Every flag, in the order of the help. */
export const FLAG_GROUPS = [
  { title: 'How it talks', flags: HOW },
  { title: 'The model', flags: MODEL },
  { title: 'Tools and permissions', flags: PERMISSIONS },
  { title: 'Sessions', flags: SESSION },
  { title: 'Hooks, servers and helpers', flags: AROUND },
  { title: 'Understood, without effect', flags: WITHOUT_EFFECT },
  { title: 'Other', flags: OTHER },
] as const satisfies readonly FlagGroup[];

export type FlagName = (typeof FLAG_GROUPS)[number]['flags'][number]['name'];

/** The flag that is spelled so, with its dashes. */
export function flagSpelled(spelling: string): (Flag & { name: FlagName }) | undefined {
  for (const { flags } of FLAG_GROUPS) {
    const all: readonly (Flag & { name: FlagName })[] = flags;
    const found = all.find(({ name, aliases }) => spelling === `--${name}` || aliases?.includes(spelling));
    if (found) return found;
  }
  return undefined;
}

/** Flags that were given and have no effect. */
export function flagsWithoutEffect(given: ReadonlyMap<FlagName, unknown>): FlagName[] {
  return WITHOUT_EFFECT.map(({ name }) => name).filter((name) => given.has(name));
}

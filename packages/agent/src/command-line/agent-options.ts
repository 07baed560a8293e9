import { readFileSync } from 'node:fs';
import { messageOf, type PermissionMode } from '@signalbox/protocol';
import { UsageError } from '../base/agent-errors.ts';
import { EFFORTS, type Effort } from '../base/efforts.ts';
import { AGENT_MODES } from '../base/permission-modes.ts';
import { type FlagName, flagsWithoutEffect } from './flags.ts';
import { parseFlags } from './parse-flags.ts';
import {
  jsonObject,
  oneOf,
  positiveInteger,
  positiveNumber,
  ruleList,
  uuid,
  wordList,
} from './read-values.ts';

const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
const INPUT_FORMATS = ['text', 'stream-json'] as const;
const SETTING_SOURCES = ['user', 'project', 'local'] as const;

/** What the command line asks for, checked. */
export interface AgentOptions {
  wants: 'help' | 'version' | 'session' | 'mcp-server';
  /** A person talks to it in a terminal. */
  isChat: boolean;
  /** The prompt, when it stood on the command line. */
  prompt: string | undefined;
  outputFormat: (typeof OUTPUT_FORMATS)[number];
  inputFormat: (typeof INPUT_FORMATS)[number];
  verbose: boolean;
  includePartialMessages: boolean;
  replayUserMessages: boolean;
  forwardSubagentText: boolean;
  sdkUrl: string | undefined;
  model: string | undefined;
  fallbackModel: string | undefined;
  maxTurns: number;
  maxBudgetUsd: number;
  maxThinkingTokens: number | undefined;
  thinking: 'adaptive' | 'disabled' | undefined;
  effort: Effort | undefined;
  betas: readonly string[];
  systemPrompt: string | undefined;
  appendSystemPrompt: string | undefined;
  jsonSchema: Record<string, unknown> | undefined;
  /** The tools to offer; undefined means all of them. */
  tools: readonly string[] | undefined;
  allowedTools: readonly string[];
  disallowedTools: readonly string[];
  /** Undefined leaves it to the settings. */
  permissionMode: PermissionMode | undefined;
  mayBypass: boolean;
  /** Who is asked for permissions: the host, an MCP tool, or nobody: then what needs asking is refused. */
  asks: 'host' | { mcpTool: string } | 'nobody';
  /** Confine commands. */
  sandbox: boolean;
  additionalDirectories: readonly string[];
  /** JSON, or a file. */
  settings: string | undefined;
  settingSources: readonly (typeof SETTING_SOURCES)[number][];
  /** The sources that were named, not just left at what is usual. */
  namesSettingSources: boolean;
  /** JSON. */
  managedSettings: string | undefined;
  /** Each JSON, or a file. */
  mcpConfig: readonly string[];
  /** Only the servers of {@link mcpConfig}. */
  strictMcpConfig: boolean;
  /** JSON. */
  agents: string | undefined;
  /** The agent that the session itself is to be. */
  agent: string | undefined;
  pluginDirs: readonly string[];
  includeHookEvents: boolean;
  /** What the Setup hooks are to be run for, before anything else. */
  setUpFor: 'init' | 'maintenance' | undefined;
  /** Undefined: nothing is said; empty: all of it. */
  debug: string | undefined;
  debugFile: string | undefined;
  session: SessionChoice;
  /** The host says later, with a claim, in which folder the session is. */
  awaitsClaim: boolean;
  keepsTranscript: boolean;
  /** Whether the host gets a copy of what is written to transcripts. */
  mirrorsTranscript: boolean;
  /** Put files back to what they were at this message, and exit. */
  rewindTo: string | undefined;
  /** Flags that were given and are not supported so far. */
  withoutEffect: readonly string[];
}

/** Which session to work in. */
export type SessionChoice =
  | { kind: 'new'; id: string }
  | { kind: 'continue'; fork: boolean; newId: string }
  | { kind: 'teleport'; target: string; fork: boolean; newId: string }
  | {
      kind: 'resume';
      target: string;
      fork: boolean;
      at: string | undefined;
      /** The prompt of the turn that is left out, where nothing else may be. */
      dropsTurn: string | undefined;
      newId: string;
    };

/**
 * Read a command line. Without a terminal nobody could chat: it answers as with `-p`. Throws `UsageError` with what is
 * wrong and what would be right.
 */
export function readCommandLine(argv: readonly string[], hasTerminal = false): AgentOptions {
  const serves = argv[0] === 'mcp' && argv[1] === 'serve';
  const { flags, rest } = parseFlags(serves ? argv.slice(2) : argv);
  const has = (name: FlagName): boolean => flags.has(name);
  const last = (name: FlagName): string | undefined => flags.get(name)?.at(-1);
  const sdkUrl = last('sdk-url');
  const defaultFormat = sdkUrl === undefined ? 'text' : 'stream-json';
  const outputFormat = oneOf('--output-format', OUTPUT_FORMATS, last('output-format') ?? defaultFormat);
  const inputFormat = oneOf('--input-format', INPUT_FORMATS, last('input-format') ?? defaultFormat);
  const wants = wantsOf(has, serves);
  if (serves && rest.length > 0) throw new UsageError(`mcp serve takes no prompt: ${rest.join(' ')}.`);
  const options: AgentOptions = {
    wants,
    isChat: hasTerminal && !has('print') && outputFormat === 'text' && !has('rewind-files'),
    prompt: rest.length > 0 ? rest.join(' ') : undefined,
    outputFormat,
    inputFormat,
    verbose: has('verbose'),
    includePartialMessages: has('include-partial-messages'),
    replayUserMessages: has('replay-user-messages'),
    forwardSubagentText: has('forward-subagent-text'),
    sdkUrl,
    model: last('model'),
    fallbackModel: last('fallback-model'),
    maxTurns: positiveInteger('--max-turns', last('max-turns')) ?? Number.POSITIVE_INFINITY,
    maxBudgetUsd: positiveNumber('--max-budget-usd', last('max-budget-usd')) ?? Number.POSITIVE_INFINITY,
    maxThinkingTokens: positiveInteger('--max-thinking-tokens', last('max-thinking-tokens'), 0),
    thinking: optionally(last('thinking'), (text) => oneOf('--thinking', ['adaptive', 'disabled'], text)),
    effort: optionally(last('effort'), (text) => oneOf('--effort', EFFORTS, text)),
    betas: wordList(flags.get('betas')),
    systemPrompt: last('system-prompt') ?? optionally(last('system-prompt-file'), readPrompt),
    appendSystemPrompt: last('append-system-prompt'),
    jsonSchema: optionally(last('json-schema'), (text) => jsonObject('--json-schema', text)),
    tools: offeredTools(flags.get('tools')),
    allowedTools: ruleList(flags.get('allowed-tools')),
    disallowedTools: ruleList(flags.get('disallowed-tools')),
    permissionMode: modeOf(last('permission-mode'), has('dangerously-skip-permissions')),
    mayBypass: has('dangerously-skip-permissions') || has('allow-dangerously-skip-permissions'),
    asks: sdkUrl === undefined ? askerOf(last('permission-prompt-tool')) : 'host',
    sandbox: has('sandbox'),
    additionalDirectories: flags.get('add-dir') ?? [],
    settings: last('settings'),
    settingSources: settingSources(last('setting-sources')),
    namesSettingSources: has('setting-sources'),
    managedSettings: last('managed-settings'),
    mcpConfig: flags.get('mcp-config') ?? [],
    strictMcpConfig: has('strict-mcp-config'),
    agents: last('agents'),
    agent: last('agent'),
    pluginDirs: flags.get('plugin-dir') ?? [],
    includeHookEvents: has('include-hook-events'),
    setUpFor: has('init') ? 'init' : has('maintenance') ? 'maintenance' : undefined,
    debug: has('debug') ? (last('debug') ?? '') : undefined,
    debugFile: last('debug-file'),
    session: sessionOf(last, has),
    awaitsClaim: has('await-claim'),
    keepsTranscript: !has('no-session-persistence'),
    mirrorsTranscript: has('session-mirror'),
    rewindTo: last('rewind-files'),
    withoutEffect: flagsWithoutEffect(flags),
  };
  if (wants === 'session') checkTogether(options, has);
  return options;
}

function wantsOf(has: (name: FlagName) => boolean, serves: boolean): AgentOptions['wants'] {
  if (has('help')) return 'help';
  if (has('version')) return 'version';
  return serves ? 'mcp-server' : 'session';
}

/** What is right by itself but not together. */
function checkTogether(
  { inputFormat, outputFormat, sdkUrl, session, isChat }: AgentOptions,
  has: (name: FlagName) => boolean,
): void {
  if (inputFormat === 'stream-json' && outputFormat !== 'stream-json') {
    throw new UsageError('--input-format=stream-json requires --output-format=stream-json.');
  }
  if (sdkUrl !== undefined && (inputFormat !== 'stream-json' || outputFormat !== 'stream-json')) {
    throw new UsageError(
      '--sdk-url requires both --input-format=stream-json and --output-format=stream-json.',
    );
  }
  if (has('await-claim') && (inputFormat !== 'stream-json' || outputFormat !== 'stream-json')) {
    throw new UsageError(
      '--await-claim requires --print with --input-format=stream-json and --output-format=stream-json.',
    );
  }
  if (has('await-claim') && (session.kind !== 'new' || has('fork-session'))) {
    throw new UsageError(
      '--await-claim cannot be combined with --continue, --resume, --teleport or --fork-session.',
    );
  }
  if (session.kind === 'resume' && session.target === '' && !isChat) {
    throw new UsageError('--resume needs a session id or a .jsonl file when no person can choose one.');
  }
  // Hosts that drive an agent do not say -p: the formats say it for them.
  if (has('rewind-files') && !has('resume') && !has('continue')) {
    throw new UsageError('--rewind-files needs --resume or --continue.');
  }
  if (has('replay-user-messages') && inputFormat !== 'stream-json') {
    throw new UsageError('--replay-user-messages requires --input-format=stream-json.');
  }
}

function sessionOf(
  last: (name: FlagName) => string | undefined,
  has: (name: FlagName) => boolean,
): SessionChoice {
  const id = optionally(last('session-id'), (text) => uuid('--session-id', text)) ?? crypto.randomUUID();
  const fork = has('fork-session');
  const at = last('resume-session-at');
  const loads = has('resume') || has('teleport') || has('continue');
  if (at === undefined && has('resume-drops-turn'))
    throw new UsageError('--resume-drops-turn requires --resume-session-at.');
  if (at !== undefined && !has('resume')) throw new UsageError('--resume-session-at needs --resume.');
  if (loads && has('session-id') && !fork) {
    throw new UsageError('A session that goes on keeps its id: --session-id needs --fork-session here.');
  }
  if (has('resume')) {
    const target = last('resume') ?? '';
    return { kind: 'resume', target, fork, at, dropsTurn: last('resume-drops-turn'), newId: id };
  }
  const remote = last('teleport');
  if (remote !== undefined) return { kind: 'teleport', target: remote, fork, newId: id };
  if (has('continue')) return { kind: 'continue', fork, newId: id };
  // With nothing to fork it is a new session, as hosts that always ask for a fork expect.
  return { kind: 'new', id };
}

function optionally<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}

function readPrompt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--system-prompt-file cannot be read: ${messageOf(error)}.`);
  }
}

function offeredTools(values: readonly string[] | undefined): readonly string[] | undefined {
  if (values === undefined) return undefined;
  const names = wordList(values);
  return names.includes('default') ? undefined : names;
}

function modeOf(value: string | undefined, skipPermissions: boolean): PermissionMode | undefined {
  if (skipPermissions) return 'bypassPermissions';
  const mode = AGENT_MODES.find((known) => known === value);
  if (value === undefined || mode) return mode;
  throw new UsageError(`--permission-mode must be one of ${AGENT_MODES.join(', ')}; it is "${value}".`);
}

function askerOf(tool: string | undefined): AgentOptions['asks'] {
  if (tool === undefined) return 'nobody';
  if (tool === 'stdio') return 'host';
  if (/^mcp__.+__./.test(tool)) return { mcpTool: tool };
  throw new UsageError(`--permission-prompt-tool must be stdio or mcp__<server>__<tool>; it is "${tool}".`);
}

/** Without the flag all of them are read; an empty one means none. */
function settingSources(value: string | undefined): readonly (typeof SETTING_SOURCES)[number][] {
  if (value === undefined) return SETTING_SOURCES;
  return wordList([value]).map((name) => oneOf('--setting-sources', SETTING_SOURCES, name));
}

import type { SessionStoreFlush } from '../sessions/session-mirror.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { HookEvent } from './hook-events.ts';
import type { HookCallbackMatcher } from './hooks.ts';
import type {
  McpServerConfig,
  McpServerConfigForProcessTransport,
  OnElicitation,
  OnUserDialog,
} from './mcp.ts';
import type { CanUseTool, PermissionMode } from './permissions.ts';
import type { SpawnedProcess, SpawnOptions } from './process.ts';
import type { SandboxSettings } from './sandbox.ts';

/** How much a model thinks before it speaks. */
export type ThinkingConfig = ThinkingAdaptive | ThinkingEnabled | ThinkingDisabled;
/** As much as the model finds right. */
export interface ThinkingAdaptive {
  type: 'adaptive';
  display?: 'summarized' | 'omitted';
}
/** Up to a number of tokens. */
export interface ThinkingEnabled {
  type: 'enabled';
  budgetTokens?: number;
  display?: 'summarized' | 'omitted';
}
export interface ThinkingDisabled {
  type: 'disabled';
}
export type EffortLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max';
export type SdkBeta = 'context-1m-2025-08-07';
export type SettingSource = 'user' | 'project' | 'local';

/** A plugin in a folder. */
export interface SdkPluginConfig {
  type: 'local';
  path: string;
  skipMcpDiscovery?: boolean;
}

export type OutputFormatType = 'json_schema';
/** What the result is to be. */
export interface BaseOutputFormat {
  type: OutputFormatType;
}
/** The result is to be JSON of this shape. */
export interface JsonSchemaOutputFormat {
  type: 'json_schema';
  schema: Record<string, unknown>;
}
export type OutputFormat = JsonSchemaOutputFormat;

/** The settings of an agent, as its settings files have them. */
export interface Settings {
  [name: string]: unknown;
}

/** Whose settings a change goes to. */
export type ConfigScope = 'local' | 'user' | 'project';

/** How tools present what they ask. */
export interface ToolConfig {
  askUserQuestion?: { previewFormat?: 'markdown' | 'html' };
}

/** An MCP server for a sub-agent: the name of one of the session's, or one of its own. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** A sub-agent. */
export interface AgentDefinition {
  description: string;
  prompt: string;
  tools?: string[];
  disallowedTools?: string[];
  model?: string;
  mcpServers?: AgentMcpServerSpec[];
  skills?: string[];
  initialPrompt?: string;
  maxTurns?: number;
  background?: boolean;
  memory?: SettingSource;
  effort?: EffortLevel | number;
  permissionMode?: PermissionMode;
  criticalSystemReminder_EXPERIMENTAL?: string;
}

/** What a conversation is to be like. */
export interface Options {
  // the process
  abortController?: AbortController;
  cwd?: string;
  /** The whole environment of the agent; that of this process unless given. */
  env?: { [envVar: string]: string | undefined };
  /** What runs an agent that is a script. */
  executable?: 'bun' | 'deno' | 'node';
  executableArgs?: string[];
  extraArgs?: Record<string, string | null>;
  pathToClaudeCodeExecutable?: string;
  spawnClaudeCodeProcess?: (options: SpawnOptions) => SpawnedProcess;
  stderr?: (data: string) => void;
  debug?: boolean;
  debugFile?: string;
  /** The user that the agent runs as: a name or an id. Takes a privileged host. */
  user?: string | number;
  /** How long the agent may take to answer a control request, in milliseconds; 60 000 unless given. */
  controlTimeoutMs?: number;

  // callbacks
  canUseTool?: CanUseTool;
  hooks?: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  onElicitation?: OnElicitation;
  onUserDialog?: OnUserDialog;
  supportedDialogKinds?: string[];

  // the model
  model?: string;
  fallbackModel?: string;
  betas?: SdkBeta[];
  thinking?: ThinkingConfig;
  effort?: EffortLevel;
  maxThinkingTokens?: number;
  maxTurns?: number;
  maxBudgetUsd?: number;
  taskBudget?: { total: number };
  outputFormat?: OutputFormat;
  systemPrompt?:
    | string
    | string[]
    | { type: 'custom'; prompt: string | string[]; snapshot?: boolean }
    | {
        type: 'preset';
        preset: 'claude_code';
        append?: string;
        excludeDynamicSections?: boolean;
        snapshot?: boolean;
      };

  // tools and permissions
  tools?: string[] | { type: 'preset'; preset: 'claude_code' };
  allowedTools?: string[];
  disallowedTools?: string[];
  toolAliases?: Record<string, string>;
  toolConfig?: ToolConfig;
  permissionMode?: PermissionMode;
  allowDangerouslySkipPermissions?: boolean;
  permissionPromptToolName?: string;
  permissionPrompts?: 'host' | 'none';
  planModeInstructions?: string;
  additionalDirectories?: string[];
  sandbox?: SandboxSettings;
  mcpServers?: Record<string, McpServerConfig>;
  strictMcpConfig?: boolean;
  agent?: string;
  agents?: Record<string, AgentDefinition>;
  skills?: string[] | 'all';
  plugins?: SdkPluginConfig[];
  pluginDelivery?: 'argv' | 'initialize';
  settings?: string | Settings;
  managedSettings?: Settings;
  settingSources?: SettingSource[];
  projectConfigRoot?: string;

  // the session
  continue?: boolean;
  resume?: string;
  resumeSessionAt?: string;
  resumeDropsTurn?: string;
  forkSession?: boolean;
  sessionId?: string;
  persistSession?: boolean;
  /** Gets a copy of every transcript that the agent writes; `resume` and `continue` look there. */
  sessionStore?: SessionStore;
  /** When the copies are made: at the end of each turn (`batched`), or as the agent writes. */
  sessionStoreFlush?: SessionStoreFlush;
  /** How long the store may take to give back a session, in milliseconds; 60 000 unless given. */
  loadTimeoutMs?: number;
  enableFileCheckpointing?: boolean;
  title?: string;

  // what is told
  includePartialMessages?: boolean;
  includeHookEvents?: boolean;
  forwardSubagentText?: boolean;
  promptSuggestions?: boolean;
  agentProgressSummaries?: boolean;
  perTaskStopAffordance?: boolean;
  verbatimPrompts?: boolean;
}

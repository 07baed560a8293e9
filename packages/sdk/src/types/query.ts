import type {
  SDKControlGetUsageResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
} from './control.ts';
import type { McpServerConfig, McpServerStatus, McpSetServersResult } from './mcp.ts';
import type { SDKMessage, SDKUserMessage } from './messages.ts';
import type { AgentDefinition, SdkPluginConfig } from './options.ts';
import type { PermissionMode } from './permissions.ts';

/** A command that a prompt may start with. */
export interface SlashCommand {
  name: string;
  description: string;
  argumentHint: string;
  aliases?: string[];
  builtin?: boolean;
}

/** A model that the agent can use. */
export interface ModelInfo {
  value: string;
  displayName: string;
  description: string;
  resolvedModel?: string;
  supportsEffort?: boolean;
  supportedEffortLevels?: ('low' | 'medium' | 'high' | 'xhigh' | 'max')[];
  supportsAdaptiveThinking?: boolean;
  supportsFastMode?: boolean;
  supportsAutoMode?: boolean;
}

/** A sub-agent that the agent can use. */
export type AgentInfo = Pick<AgentDefinition, 'description' | 'model'> & { name: string };

/** Whose account the agent uses. */
export interface AccountInfo {
  email?: string;
  organization?: string;
  subscriptionType?: string;
  tokenSource?: string;
  apiKeySource?: string;
  apiProvider?: string;
}

/** What the agent offers. */
export interface SDKControlInitializeResponse {
  commands: SlashCommand[];
  agents: AgentInfo[];
  output_style: string;
  available_output_styles: string[];
  models: ModelInfo[];
  account: AccountInfo;
  claude_code_version?: string;
  hook_on_failure_supported?: boolean;
}

/** Which prompts an interrupt left waiting. */
export interface SDKControlInterruptResponse {
  still_queued: string[];
  cancelled?: string[];
}

/** What a rewind changed, or would change. */
export interface RewindFilesResult {
  canRewind: boolean;
  error?: string;
  filesChanged?: string[];
  insertions?: number;
  deletions?: number;
}

/** What fills the context window. */
export interface SDKControlGetContextUsageResponse {
  categories: { name: string; tokens: number; color?: string; isDeferred?: boolean }[];
  totalTokens: number;
  maxTokens: number;
  rawMaxTokens: number;
  percentage: number;
  model: string;
  [more: string]: unknown;
}

/** A file as the agent reads it. */
export interface SDKControlReadFileResponse {
  contents: string;
  absPath?: string;
  truncated?: boolean;
  encoding?: 'utf-8' | 'base64';
}

/** How plugins are loaded anew. */
export interface ReloadPluginsOptions {
  /** Only tell what it would cost the model's cache. */
  holdOnCacheImpact?: boolean;
  addPlugins?: SdkPluginConfig[];
  refuseIfBusy?: boolean;
}

/**
 * A conversation with an agent: its messages, in order, and the ways to steer it. Whoever stops reading, also by
 * `break`, ends the agent.
 */
export interface Query extends AsyncGenerator<SDKMessage, void> {
  /** Stop the turn; the conversation goes on. */
  interrupt(): Promise<SDKControlInterruptResponse | undefined>;
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /** Without a model: back to the agent's own. */
  setModel(model?: string): Promise<void>;
  setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: 'summarized' | 'omitted' | 'highlights' | null,
  ): Promise<void>;
  /** Another mode for the tools of one server; null takes it back. */
  setMcpPermissionModeOverride(
    serverName: string,
    mode: 'default' | 'auto' | null,
  ): Promise<{ warning?: string }>;
  applyFlagSettings(settings: Record<string, unknown>): Promise<void>;
  /** Write settings to a file of the user. */
  updateSettings(source: 'localSettings' | 'userSettings', settings: Record<string, unknown>): Promise<void>;
  initializationResult(): Promise<SDKControlInitializeResponse>;
  /** Say anew what was said at the start, to an agent that was started anew. */
  reinitialize(): Promise<SDKControlInitializeResponse>;
  supportedCommands(): Promise<SlashCommand[]>;
  supportedModels(): Promise<ModelInfo[]>;
  supportedAgents(): Promise<AgentInfo[]>;
  accountInfo(): Promise<AccountInfo>;
  mcpServerStatus(): Promise<McpServerStatus[]>;
  reconnectMcpServer(serverName: string): Promise<void>;
  toggleMcpServer(serverName: string, enabled: boolean): Promise<void>;
  /** Replace the servers that were added by this program. */
  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult>;
  getContextUsage(options?: { detail?: 'summary' | 'full' }): Promise<SDKControlGetContextUsageResponse>;
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(options?: {
    skipBehaviors?: boolean;
  }): Promise<SDKControlGetUsageResponse>;
  reloadPlugins(options?: ReloadPluginsOptions): Promise<SDKControlReloadPluginsResponse>;
  reloadSkills(): Promise<SDKControlReloadSkillsResponse>;
  reloadOutputStyles(): Promise<SDKControlReloadOutputStylesResponse>;
  readMcpResource(serverName: string, uri: string): Promise<SDKControlMcpReadResourceResponse>;
  /** Tell the agent that it knows a file as it was at that time, in milliseconds since the epoch. */
  seedReadState(path: string, mtime: number): Promise<void>;
  readFile(
    path: string,
    options?: { maxBytes?: number; encoding?: 'utf-8' | 'base64' },
  ): Promise<SDKControlReadFileResponse | null>;
  /** Put files back to what they were at a user message; takes `enableFileCheckpointing`. */
  rewindFiles(userMessageId: string, options?: { dryRun?: boolean }): Promise<RewindFilesResult>;
  stopTask(taskId: string): Promise<void>;
  backgroundTasks(toolUseId?: string): Promise<boolean>;
  /** Send more prompts; at their end the agent finishes its turns and leaves. */
  streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void>;
  /** End the conversation and the agent. */
  close(): void;
  /** End both, and wait until the agent is gone. */
  [Symbol.asyncDispose](): Promise<void>;
}

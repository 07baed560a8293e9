import type { ControlRequestBody, JsonObject } from '@signalbox/protocol';
import { type AgentWords, atItsWord } from '../agent-words.ts';
import type {
  SDKControlGetUsageResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
} from '../types/control.ts';
import type { McpServerConfig, McpServerStatus, McpSetServersResult } from '../types/mcp.ts';
import type { SDKMessage, SDKUserMessage } from '../types/messages.ts';
import type { PermissionMode } from '../types/permissions.ts';
import type {
  AccountInfo,
  AgentInfo,
  ModelInfo,
  Query,
  ReloadPluginsOptions,
  RewindFilesResult,
  SDKControlGetContextUsageResponse,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlReadFileResponse,
  SlashCommand,
} from '../types/query.ts';
import type { Conversation } from './conversation.ts';

const DONE: IteratorReturnResult<void> = { done: true, value: undefined };

/** A {@link Query} on a conversation. */
export class AgentQuery implements Query {
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  next(): Promise<IteratorResult<SDKMessage, void>> {
    return this.#conversation.unread.next();
  }

  async return(): Promise<IteratorReturnResult<void>> {
    this.close();
    return DONE;
  }

  async throw(error: unknown): Promise<never> {
    this.close();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#conversation.ended;
  }

  close(): void {
    this.#conversation.end();
    this.#conversation.unread.drop();
  }

  async interrupt(): Promise<SDKControlInterruptResponse | undefined> {
    const { still_queued, ...rest } = await this.#ask({ subtype: 'interrupt' });
    return still_queued && { still_queued, ...rest };
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.#tell({ subtype: 'set_permission_mode', mode });
  }

  async setModel(model?: string): Promise<void> {
    await this.#tell({ subtype: 'set_model', model });
  }

  async setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: 'summarized' | 'omitted' | 'highlights' | null,
  ): Promise<void> {
    await this.#tell({
      subtype: 'set_max_thinking_tokens',
      max_thinking_tokens: maxThinkingTokens,
      thinking_display: thinkingDisplay,
    });
  }

  setMcpPermissionModeOverride(
    serverName: string,
    mode: 'default' | 'auto' | null,
  ): Promise<{ warning?: string }> {
    return this.#ask({ subtype: 'set_mcp_permission_mode_override', serverName, mode });
  }

  async applyFlagSettings(settings: Record<string, unknown>): Promise<void> {
    await this.#tell({ subtype: 'apply_flag_settings', settings });
  }

  async updateSettings(
    source: 'localSettings' | 'userSettings',
    settings: Record<string, unknown>,
  ): Promise<void> {
    await this.#tell({ subtype: 'update_settings', source, settings });
  }

  async reinitialize(): Promise<SDKControlInitializeResponse> {
    return atItsWord('initialize', await this.#conversation.reinitialize());
  }

  async initializationResult(): Promise<SDKControlInitializeResponse> {
    return atItsWord('initialize', await this.#conversation.initialized);
  }

  async supportedCommands(): Promise<SlashCommand[]> {
    return (await this.initializationResult()).commands;
  }

  async supportedModels(): Promise<ModelInfo[]> {
    return (await this.initializationResult()).models;
  }

  async supportedAgents(): Promise<AgentInfo[]> {
    return (await this.initializationResult()).agents;
  }

  async accountInfo(): Promise<AccountInfo> {
    return (await this.initializationResult()).account;
  }

  async mcpServerStatus(): Promise<McpServerStatus[]> {
    return (await this.#ask({ subtype: 'mcp_status' })).mcpServers;
  }

  async reconnectMcpServer(serverName: string): Promise<void> {
    await this.#tell({ subtype: 'mcp_reconnect', serverName });
  }

  async toggleMcpServer(serverName: string, enabled: boolean): Promise<void> {
    await this.#tell({ subtype: 'mcp_toggle', serverName, enabled });
  }

  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult> {
    return this.#ask({
      subtype: 'mcp_set_servers',
      servers: this.#conversation.sdkServers.replace(servers),
    });
  }

  getContextUsage(options: { detail?: 'summary' | 'full' } = {}): Promise<SDKControlGetContextUsageResponse> {
    return this.#ask({ subtype: 'get_context_usage', ...options });
  }

  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({
    skipBehaviors,
  }: {
    skipBehaviors?: boolean;
  } = {}): Promise<SDKControlGetUsageResponse> {
    return this.#ask({ subtype: 'get_usage', skip_behaviors: skipBehaviors });
  }

  reloadPlugins(options: ReloadPluginsOptions = {}): Promise<SDKControlReloadPluginsResponse> {
    return this.#ask({
      subtype: 'reload_plugins',
      hold_on_cache_impact: options.holdOnCacheImpact,
      add_plugins: options.addPlugins,
      refuse_if_busy: options.refuseIfBusy,
    });
  }

  reloadSkills(): Promise<SDKControlReloadSkillsResponse> {
    return this.#ask({ subtype: 'reload_skills' });
  }

  reloadOutputStyles(): Promise<SDKControlReloadOutputStylesResponse> {
    return this.#ask({ subtype: 'reload_output_styles' });
  }

  readMcpResource(serverName: string, uri: string): Promise<SDKControlMcpReadResourceResponse> {
    return this.#ask({ subtype: 'mcp_read_resource', serverName, uri });
  }

  async seedReadState(path: string, mtime: number): Promise<void> {
    await this.#tell({ subtype: 'seed_read_state', path, mtime });
  }

  async readFile(
    path: string,
    { maxBytes, encoding }: { maxBytes?: number; encoding?: 'utf-8' | 'base64' } = {},
  ): Promise<SDKControlReadFileResponse | null> {
    const body = { subtype: 'read_file' as const, path, max_bytes: maxBytes, encoding };
    const { contents, ...rest } = await this.#ask(body);
    return contents === undefined ? null : { contents, ...rest };
  }

  rewindFiles(userMessageId: string, { dryRun }: { dryRun?: boolean } = {}): Promise<RewindFilesResult> {
    return this.#ask({ subtype: 'rewind_files', user_message_id: userMessageId, dry_run: dryRun });
  }

  async stopTask(taskId: string): Promise<void> {
    await this.#tell({ subtype: 'stop_task', task_id: taskId });
  }

  async backgroundTasks(toolUseId?: string): Promise<boolean> {
    const answer = await this.#tell({ subtype: 'background_tasks', tool_use_id: toolUseId });
    return answer['backgrounded'] !== false;
  }

  async streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void> {
    const conversation = this.#conversation;
    for await (const message of stream) await conversation.prompt(message);
    conversation.noMorePrompts({ waitForTurn: conversation.takesQuestions });
  }

  async #ask<K extends keyof AgentWords>(body: JsonObject & { subtype: K }): Promise<AgentWords[K]> {
    return atItsWord(body.subtype, await this.#conversation.request(body));
  }

  #tell(body: ControlRequestBody): Promise<JsonObject> {
    return this.#conversation.request(body);
  }
}

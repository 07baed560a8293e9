/** The control protocol, and what agents answer to it. */

import type { OutboundAgentMessage, OutboundHostMessage } from '@signalbox/protocol';
import type { McpServerStatus } from './mcp.ts';
import type { SDKMessage } from './messages.ts';
import type { ExtraUsage, SDKActiveGoalMessage, SessionTotals } from './news.ts';
import type { AgentInfo, SlashCommand } from './query.ts';

/** A request of either side to the other. */
export type SDKControlRequest = Extract<
  OutboundAgentMessage | OutboundHostMessage,
  { type: 'control_request' }
>;
/** The answer to one. */
export type SDKControlResponse = Extract<
  OutboundAgentMessage | OutboundHostMessage,
  { type: 'control_response' }
>;

/** The lines of an agent, in the hands of a program. */
export interface Transport {
  write(data: string): void | Promise<void>;
  close(): void;
  isReady(): boolean;
  readMessages(): AsyncGenerator<
    | SDKMessage
    | SDKActiveGoalMessage
    | SDKControlRequest
    | SDKControlResponse
    | { type: 'control_cancel_request'; request_id: string }
    | { type: 'keep_alive' },
    void,
    unknown
  >;
  expectControlResponse?(requestId: string): void;
  markDelivered?(message: object): void;
  endInput(): void;
  waitForExit?(): Promise<void>;
  [Symbol.dispose]?(): void;
}

/** Why an agent did not start. */
export type SDKStartupFailureReason =
  | 'bypass_root'
  | 'cli_version_too_old'
  | 'config_file_invalid'
  | 'cwd_unavailable'
  | 'gateway_access_denied'
  | 'gateway_signin_required'
  | 'initialize_not_first'
  | 'managed_settings_invalid'
  | 'managed_settings_not_delivered'
  | 'org_config_refused'
  | 'org_config_required_unavailable'
  | 'org_pin_api_key_conflict'
  | 'org_pin_mismatch'
  | 'org_verify_failed'
  | 'provider_not_allowed'
  | 'proxy_invalid'
  | 'remote_settings_required_unavailable'
  | 'sandbox_required_unavailable'
  | 'session_held_by_background'
  | 'shell_tool_missing'
  | 'temp_dir_unusable'
  | 'worktree_resume_refused'
  | 'worktree_unverified';

/** What is wrong with a settings file. */
export interface SDKSettingsParseError {
  file?: string;
  path: string;
  message: string;
}
/** A rule in words. */
export interface SDKPermissionRuleDescription {
  prefix: string;
  emphasis?: string;
  suffix?: string;
}
/** A rule, and who made it. */
export interface SDKPermissionRuleEntry {
  behavior: 'allow' | 'deny' | 'ask';
  source:
    | 'userSettings'
    | 'projectSettings'
    | 'localSettings'
    | 'flagSettings'
    | 'policySettings'
    | 'cliArg'
    | 'command'
    | 'session'
    | 'mcpMount'
    | 'toolsNarrowing'
    | 'mcpServerPolicy'
    | 'hostCredential';
  rule: string;
  description?: SDKPermissionRuleDescription;
  editability: 'persistent' | 'session' | 'readonly';
  notInEffect?: boolean;
}
/** A folder that the agent works in. */
export interface SDKPermissionWorkspaceDirectory {
  path: string;
  source: string;
}
/** All rules that an agent goes by. */
export interface SDKControlPermissionRulesState {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
}
export interface SDKControlListPermissionRulesResponse {
  state: SDKControlPermissionRulesState;
}

/** What a server's resource holds. */
export interface SDKControlMcpReadResourceResponse {
  contents: {
    uri: string;
    mimeType?: string;
    text?: string;
    blob?: string;
    _meta?: Record<string, unknown>;
  }[];
}
export interface SDKControlReloadOutputStylesResponse {
  available_output_styles: string[];
}
export interface SDKControlReloadSkillsResponse {
  skills: SlashCommand[];
}
/** What the agent offers with the plugins that it has now. */
export interface SDKControlReloadPluginsResponse {
  commands: SlashCommand[];
  agents: AgentInfo[];
  plugins: { name: string; path: string; source?: string; version?: string }[];
  mcpServers: McpServerStatus[];
  error_count: number;
  held?: boolean;
  cache_impact?: {
    mcp_servers_added: string[];
    mcp_servers_removed: string[];
    lsp_tool_change: 'adds' | 'may-add' | 'removes' | 'may-remove' | null;
  };
}

interface Window {
  utilization: number | null;
  resets_at: string | null;
}
interface Share {
  name: string;
  pct: number;
}
interface Behaviors {
  request_count: number;
  session_count: number;
  behaviors: {
    key:
      | 'cache_miss'
      | 'long_context'
      | 'subagent_heavy'
      | 'high_parallel'
      | 'cron'
      | 'max_effort'
      | 'workflow'
      | 'always_on_context'
      | 'large_tool_results';
    pct: number;
    count: number;
  }[];
  recommendations?: { key: string; pct: number; title: string; detail?: string }[];
  fix?: { keys: string[]; messages: string[] };
  agents: Share[];
  skills: Share[];
  plugins: Share[];
  mcp_servers: Share[];
}
/** What was used, of which limits, and by what. */
export interface SDKControlGetUsageResponse {
  session: SessionTotals;
  subscription_type: string | null;
  rate_limits_available: boolean;
  rate_limits: {
    five_hour?: Window | null;
    seven_day?: Window | null;
    seven_day_oauth_apps?: Window | null;
    seven_day_opus?: Window | null;
    seven_day_sonnet?: Window | null;
    model_scoped?: (Window & { display_name: string })[];
    extra_usage?: ExtraUsage | null;
  } | null;
  behaviors: { day: Behaviors; week: Behaviors } | null;
}

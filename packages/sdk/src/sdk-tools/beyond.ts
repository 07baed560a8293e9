/** The tools that reach beyond the machine: MCP servers, the web, services of the maker. */

export type McpInput = Record<string, unknown>;
export type McpOutput = string | { type: string; [field: string]: unknown }[] | Record<string, unknown>;

export interface ListMcpResourcesInput {
  server?: string;
}
export type ListMcpResourcesOutput = {
  uri: string;
  name: string;
  mimeType?: string;
  description?: string;
  server: string;
}[];
export interface ReadMcpResourceInput {
  server: string;
  uri: string;
}
export interface ReadMcpResourceOutput {
  contents: { uri: string; mimeType?: string; text?: string; blobSavedTo?: string }[];
  error?: string;
}
export interface ReadMcpResourceDirInput {
  server: string;
  uri: string;
}
export interface ReadMcpResourceDirOutput {
  resources: { uri: string; name: string; mimeType?: string }[];
  error?: string;
}
export interface RefreshMcpToolsInput {
  server?: string;
}
export type RefreshMcpToolsOutput = {
  server: string;
  status: 'refreshed' | 'error' | 'not_connected';
  toolCount?: number;
  added?: string[];
  removed?: string[];
  error?: string;
}[];

export interface WebFetchInput {
  url: string;
  prompt: string;
  offset?: number;
}
export interface WebFetchOutput {
  url: string;
  code: number;
  codeText: string;
  bytes: number;
  result: string;
  durationMs: number;
  artifactRead?: { slug: string; ver?: string; seeded?: false };
}
export interface WebSearchInput {
  query: string;
  allowed_domains?: string[];
  blocked_domains?: string[];
}
export interface WebSearchOutput {
  query: string;
  results: (string | { tool_use_id: string; content: { title: string; url: string; snippet?: string }[] })[];
  durationSeconds: number;
  searchCount?: number;
}

export interface ArtifactInput {
  action?:
    | 'publish'
    | 'list'
    | 'read'
    | 'list_types'
    | 'watch'
    | 'unwatch'
    | 'status'
    | 'upload_asset'
    | 'list_assets'
    | 'read_asset'
    | 'delete_asset'
    | 'pin'
    | 'unpin';
  file_path?: string;
  file_paths?: [string, ...string[]];
  favicon?: string;
  icon?: string;
  limit?: number;
  page_token?: string;
  scope?: 'mine' | 'shared' | 'all';
  title?: string;
  description?: string;
  label?: string;
  url?: string;
  prompt?: string;
  force?: boolean;
  pin?: boolean;
  out_dir?: string;
  asset_id?: string;
  after?: string;
  capabilities?: Record<string, unknown>;
  contract?: string;
}
/** What the maker's service answers, by the action. Only what is published is described here. */
export type ArtifactOutput =
  | { url: string; path: string; artifact_id?: string; title?: string; version?: string; warnings?: string[] }
  | Record<string, unknown>;

export interface ProjectsInput {
  method:
    | 'project_info'
    | 'project_read'
    | 'project_search'
    | 'project_write'
    | 'project_delete'
    | 'project_memory_list'
    | 'project_memory_read';
  path?: string;
  content?: string;
  local_path?: string;
  present_to_user?: boolean;
  query?: string;
  n?: number;
}
/** What the maker's service answers, by the method. */
export interface ProjectsOutput {
  method: ProjectsInput['method'];
  notice?: string;
  [field: string]: unknown;
}
export interface ClaudeDesignInput {
  operation: string;
  arguments: Record<string, unknown>;
}
export interface ClaudeDesignOutput {
  operation: string;
  content: Record<string, unknown>[];
  isError?: boolean;
}
export interface RemoteTriggerInput {
  action:
    | 'list'
    | 'get'
    | 'create'
    | 'update'
    | 'run'
    | 'create_webhook_trigger'
    | 'list_runs'
    | 'get_run_log';
  trigger_id?: string;
  session_id?: string;
  cursor?: string;
  body?: Record<string, unknown>;
}
export interface RemoteTriggerOutput {
  status: number;
  json: string;
  summary?: string;
}

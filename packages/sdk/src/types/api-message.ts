/** The Messages API as agents pass it on: what a model says, and what it is told. */

interface CacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}

/** Text, as a model wrote it or as it is told. */
export interface TextBlock {
  type: 'text';
  text: string;
  citations?: unknown[] | null;
}

/** What a model thought before it spoke. */
export interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  signature: string;
}

/** Thinking that may be sent back, but not read. */
export interface RedactedThinkingBlock {
  type: 'redacted_thinking';
  data: string;
}

/** A call of a tool that runs beside the agent. */
export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}

/** A call of a tool that runs beside the model. */
export interface ServerToolUseBlock {
  type: 'server_tool_use';
  id: string;
  name: string;
  input: unknown;
}

/** What a search beside the model found. */
export interface WebSearchToolResultBlock {
  type: 'web_search_tool_result';
  tool_use_id: string;
  content: unknown;
}

/** One piece of a model's reply. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | WebSearchToolResultBlock;

/** Tokens as the Messages API counts them. */
export interface ApiUsage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  cache_creation: { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number } | null;
  server_tool_use: { web_search_requests: number; web_fetch_requests: number } | null;
  service_tier: 'standard' | 'priority' | 'batch' | null;
}

/** The same without gaps, as results sum it up. */
export type NonNullableUsage = { [K in keyof ApiUsage]: NonNullable<ApiUsage[K]> };

/** A model's reply. */
export interface ApiMessage {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: ContentBlock[];
  stop_reason:
    | 'end_turn'
    | 'max_tokens'
    | 'stop_sequence'
    | 'tool_use'
    | 'pause_turn'
    | 'refusal'
    | 'model_context_window_exceeded'
    | null;
  stop_sequence: string | null;
  usage: ApiUsage;
  container?: unknown;
  context_management?: unknown;
}

/** What grows while a block is streamed. */
export type ContentDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'input_json_delta'; partial_json: string }
  | { type: 'thinking_delta'; thinking: string }
  | { type: 'signature_delta'; signature: string }
  | { type: 'citations_delta'; citation: unknown };

/** One event of a reply that is being written. */
export type ApiStreamEvent =
  | { type: 'message_start'; message: ApiMessage }
  | { type: 'content_block_start'; index: number; content_block: ContentBlock }
  | { type: 'content_block_delta'; index: number; delta: ContentDelta }
  | { type: 'content_block_stop'; index: number }
  | {
      type: 'message_delta';
      delta: { stop_reason: ApiMessage['stop_reason']; stop_sequence: string | null };
      usage: Pick<ApiUsage, 'output_tokens'> & Partial<ApiUsage>;
    }
  | { type: 'message_stop' };

interface Cacheable {
  cache_control?: CacheControl | null;
}

/** A picture for the model. */
export interface ImageBlockParam extends Cacheable {
  type: 'image';
  source:
    | {
        type: 'base64';
        media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
        data: string;
      }
    | { type: 'url'; url: string };
}

/** A document for the model. */
export interface DocumentBlockParam extends Cacheable {
  type: 'document';
  source: object;
  title?: string | null;
  context?: string | null;
  citations?: object | null;
}

/** What a tool gave back. */
export interface ToolResultBlockParam extends Cacheable {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | (TextBlockParam | ImageBlockParam | DocumentBlockParam)[];
  is_error?: boolean;
}

/** Text for the model. */
export interface TextBlockParam extends Cacheable {
  type: 'text';
  text: string;
  citations?: unknown[] | null;
}

/** One piece of what a model is told. */
export type ContentBlockParam =
  | TextBlockParam
  | ImageBlockParam
  | DocumentBlockParam
  | ToolResultBlockParam
  | ToolUseBlock
  | ServerToolUseBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | WebSearchToolResultBlock;

/** What a model is told in one go. */
export interface MessageParam {
  role: 'user' | 'assistant';
  content: string | ContentBlockParam[];
}

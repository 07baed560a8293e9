import { randomUUID } from 'node:crypto';
import type { ContentBlock, SDKAssistantMessage, SDKResultSuccess } from '../../src/index.ts';

const USAGE = {
  input_tokens: 1,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard' as const,
};

export function reply(content: ContentBlock[], parent: string | null = null): SDKAssistantMessage {
  return {
    type: 'assistant',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'x',
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: USAGE,
    },
    parent_tool_use_id: parent,
    uuid: randomUUID(),
    session_id: 's',
  };
}

export function text(words: string): ContentBlock {
  return { type: 'text', text: words };
}

export function call(name: string, input: unknown): ContentBlock {
  return { type: 'tool_use', id: 't', name, input };
}

export const RESULT: SDKResultSuccess = {
  type: 'result',
  subtype: 'success',
  result: 'ok',
  is_error: false,
  duration_ms: 1234,
  duration_api_ms: 1000,
  num_turns: 2,
  stop_reason: null,
  total_cost_usd: 0.01234,
  usage: USAGE,
  modelUsage: {},
  permission_denials: [],
  uuid: randomUUID(),
  session_id: 's',
};

export async function* stream<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

import type { InputUsage } from './tokens.ts';

/** A block of a reply. Kinds the script does not build itself travel through as they are. */
export type ReplyBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'other'; block: { type: string } & Record<string, unknown> };

export interface Usage extends InputUsage {
  readonly output_tokens: number;
  readonly service_tier: string;
}

export interface ReplyMessage {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly unknown[];
  readonly stop_reason: string | null;
  readonly stop_sequence: null;
  readonly usage: Usage;
}

export type BlockDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'thinking_delta'; thinking: string }
  | { type: 'signature_delta'; signature: string }
  | { type: 'input_json_delta'; partial_json: string };

/** A server-sent event of a streamed reply. */
export type StreamEvent =
  | { type: 'message_start'; message: ReplyMessage }
  | { type: 'content_block_start'; index: number; content_block: unknown }
  | { type: 'ping' }
  | { type: 'content_block_delta'; index: number; delta: BlockDelta }
  | { type: 'content_block_stop'; index: number }
  | { type: 'message_delta'; delta: { stop_reason: string; stop_sequence: null }; usage: Usage }
  | { type: 'message_stop' }
  | { type: 'error'; error: { type: string; message: string } };

const JSON_CHUNK = /[\s\S]{1,24}/gu;
const WORD = /\S+\s*|\s+/g;

/** The block as the API shows it in a whole message. */
export function blockBody(block: ReplyBlock): unknown {
  return block.type === 'other' ? block.block : block;
}

function emptyBody(block: ReplyBlock): unknown {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
    default:
      return block.block;
  }
}

function deltasOf(block: ReplyBlock): BlockDelta[] {
  switch (block.type) {
    case 'text':
      return (block.text.match(WORD) ?? []).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...(block.thinking.match(WORD) ?? []).map((thinking) => ({
          type: 'thinking_delta' as const,
          thinking,
        })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use': {
      const chunks = ['', ...(JSON.stringify(block.input).match(JSON_CHUNK) ?? [])];
      return chunks.map((chunk) => ({ type: 'input_json_delta', partial_json: chunk }));
    }
    default:
      return [];
  }
}

/** The events of one content block; the API pings once, inside the first. */
export function blockEvents(block: ReplyBlock, index: number): StreamEvent[] {
  return [
    { type: 'content_block_start', index, content_block: emptyBody(block) },
    ...(index === 0 ? [{ type: 'ping' as const }] : []),
    ...deltasOf(block).map((delta) => ({ type: 'content_block_delta' as const, index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** One server-sent event on the wire. */
export function eventFrame(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

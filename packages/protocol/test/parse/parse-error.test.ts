import {
  MessageParseError,
  parseAgentMessage,
  parseControlPayload,
  parseHostMessage,
} from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../schema/thrown.ts';

const result = {
  type: 'result',
  subtype: 'success',
  duration_ms: 1,
  duration_api_ms: 1,
  is_error: false,
  num_turns: 1,
  session_id: 's',
};

describe('MessageParseError', () => {
  it.each<[unknown, string, string]>([
    [{ ...result, duration_ms: undefined }, 'duration_ms', 'result message: missing field "duration_ms"'],
    [
      { ...result, num_turns: '1' },
      'num_turns',
      'result message: field "num_turns" must be a number, not a string',
    ],
    [{ ...result, duration_ms: 1 / 0 }, 'duration_ms', 'must be a number, not an infinite number'],
    [{ ...result, subtype: undefined }, 'subtype', 'result message: missing field "subtype"'],
    [{ type: 'system', subtype: 'init' }, 'session_id', 'system/init message: missing field "session_id"'],
    [
      { type: 'assistant', message: { model: 'm', content: [{ type: 'thinking', thinking: 't' }] } },
      'message.content[0].signature',
      'assistant message: missing field "message.content[0].signature"',
    ],
    [
      { type: 'assistant', message: { model: 'm', content: 'x' } },
      'message.content',
      'must be an array, not a string',
    ],
    [
      {
        type: 'user',
        message: { role: 'user', content: [{ type: 'text', text: 't' }, { type: 'tool_result' }] },
      },
      'message.content[1].tool_use_id',
      'missing field "message.content[1].tool_use_id"',
    ],
    [
      { type: 'user', message: { role: 'assistant', content: 'x' } },
      'message.role',
      'user message: field "message.role" must be "user"',
    ],
    [{ no: 'type' }, 'type', 'message: missing field "type"'],
    [{ type: null }, 'type', 'message: field "type" must be a string, not null'],
    ['text', '', 'message: it must be an object, not a string'],
    [[], '', 'message: it must be an object, not an array'],
    [null, '', 'message: it must be an object, not null'],
  ])('[MSG5] says what is wrong with %j', (value, field, message) => {
    const error = errorOf(() => parseAgentMessage(value));
    expect(error).toBeInstanceOf(MessageParseError);
    expect(error).toMatchObject({ name: 'MessageParseError', code: 'MESSAGE_INVALID', field, value });
    expect(error).toHaveProperty('message', expect.stringContaining(message));
  });

  it('[MSG5] has the path to the field as a program follows it', () => {
    const message = {
      type: 'assistant',
      message: { model: 'm', content: [{ type: 'thinking', thinking: 't' }] },
    };
    expect(errorOf(() => parseAgentMessage(message))).toHaveProperty('path', [
      'message',
      'content',
      0,
      'signature',
    ]);
  });

  it('[MSG5] names the request whose answer is wrong', () => {
    expect(() => parseControlPayload('mcp_status', {})).toThrow(
      'mcp_status response: missing field "mcpServers"',
    );
    expect(() => parseControlPayload('can_use_tool', { behavior: 1 })).toThrow(
      'can_use_tool response: field "behavior" must be a string, not a number',
    );
  });

  it('[MSG5] refuses a host message as it refuses an agent message', () => {
    const request = { subtype: 'set_permission_mode' };
    expect(() => parseHostMessage({ type: 'control_request', request_id: 'r', request })).toThrow(
      'control_request message: missing field "request.mode"',
    );
  });
});

import {
  encodeAgentMessage,
  encodeHostMessage,
  MessageEncodeError,
  type OutboundAgentMessage,
  type OutboundHostMessage,
  parseAgentMessage,
} from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { recordings } from '../schema/recordings.ts';
import { errorOf } from '../schema/thrown.ts';

const status: OutboundAgentMessage = {
  type: 'system',
  subtype: 'status',
  status: null,
  uuid: 'u',
  session_id: 's',
};

describe('what we send', () => {
  it.each<[object, string, string]>([
    [{ ...status, uuid: undefined }, 'uuid', 'system/status message: missing field "uuid"'],
    [{ ...status, status: 'dreaming' }, 'status', 'must be "compacting" or "requesting"'],
    [{ ...status, more: 1 }, 'more', 'system/status message: unknown field "more"'],
    [{ type: 'banana' }, 'type', 'banana message: field "type" has a value that is not allowed'],
    [{ type: 'system', subtype: 'telepathy' }, 'subtype', 'field "subtype" has a value that is not allowed'],
    [
      canUseTool([{ type: 'addDirectories', directories: ['/d'], destination: 'moon' }]),
      'request.permission_suggestions[0].destination',
      'must be "userSettings"',
    ],
    [
      canUseTool([{ type: 'setMode', mode: 'plan', destination: 'session', more: 1 }]),
      'request.permission_suggestions[0].more',
      'unknown field "request.permission_suggestions[0].more"',
    ],
  ])('[MSG7] is refused when it is not of the protocol: %j', (message, field, text) => {
    const error = errorOf(() => Reflect.apply(encodeAgentMessage, undefined, [message]));
    expect(error).toBeInstanceOf(MessageEncodeError);
    expect(error).toMatchObject({ name: 'MessageEncodeError', code: 'MESSAGE_NOT_SENDABLE', field });
    expect(error).toHaveProperty('message', expect.stringContaining(text));
  });

  it('[MSG7] may carry what a model or a user gave us, with fields we do not know', () => {
    const block = { type: 'text' as const, text: 't', caller: { type: 'direct' } };
    const reply: OutboundAgentMessage = {
      type: 'assistant',
      message: { model: 'm', content: [block], diagnostics: 1 },
      parent_tool_use_id: null,
      uuid: 'u',
      session_id: 's',
    };
    expect(JSON.parse(encodeAgentMessage(reply))).toEqual(reply);
    const setServers: OutboundHostMessage = {
      type: 'control_request',
      request_id: 'r',
      request: { subtype: 'mcp_set_servers', servers: { a: { command: 'c', timeout: 5 } } },
    };
    expect(JSON.parse(encodeHostMessage(setServers))).toEqual(setServers);
  });

  it('[MSG9] has room for all that claude 2.1.37 and its host say, except what was sent to be refused', () => {
    const refused = recordings
      .filter(({ file }) => file.startsWith('2.1.37/'))
      .flatMap(({ from, message }) => {
        const encode = from === 'agent' ? encodeAgentMessage : encodeHostMessage;
        const error = errorOf(() => Reflect.apply(encode, undefined, [message]));
        return error instanceof Error ? [error.message.replace(/ must be .*/, '')] : [];
      });
    expect(refused.toSorted()).toEqual([
      '(raw) message: field "type" has a value that is not allowed',
      'banana message: field "type" has a value that is not allowed',
      'control_request message: field "request.mode"',
      'control_request message: field "request.subtype" has a value that is not allowed',
      'system/init message: field "permissionMode"',
      'user message: field "message.role"',
    ]);
  });

  it('[MSG10] is one line, whatever its text holds', () => {
    const content = 'a\nb\r\nc\u2028d\u2029e\u0085f\u0000g';
    const line = encodeHostMessage({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: '',
    });
    expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
    expect(JSON.parse(line)).toHaveProperty('message.content', content);
  });

  it('[MSG10] that JSON cannot hold is refused: a cycle, a bigint, a nest without end', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    let nest: unknown = [];
    for (let depth = 0; depth < 200_000; depth += 1) nest = [nest];
    for (const response of [cycle, { big: 1n }, nest]) {
      const answer: OutboundAgentMessage = {
        type: 'control_response',
        response: { subtype: 'success', request_id: 'r', response },
      };
      const error = errorOf(() => encodeAgentMessage(answer));
      expect(error).toBeInstanceOf(MessageEncodeError);
      expect(error).toHaveProperty('cause', expect.any(Error));
    }
  });

  it('[MSG10] is what the other side parses', () => {
    expect(parseAgentMessage(JSON.parse(encodeAgentMessage(status)))).toEqual(status);
  });
});

function canUseTool(suggestions: object[]) {
  return {
    type: 'control_request',
    request_id: 'r',
    request: {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: {},
      tool_use_id: 't',
      permission_suggestions: suggestions,
    },
  };
}

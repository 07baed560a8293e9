import {
  type AgentMessage,
  isPermissionMode,
  parseAgentMessage,
  parseControlPayload,
  parseHostMessage,
} from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';

const ids = { uuid: 'u', session_id: 's' };
const model = { model: 'm', content: [] };

describe('what this version does not know', () => {
  it.each<[string, object]>([
    ['a type', { type: 'telepathy', x: [{ y: null }] }],
    ['a type named like a method', { type: 'constructor' }],
    ['a system subtype', { type: 'system', subtype: 'telepathy', session_id: 7 }],
    ['a result subtype', { type: 'result', subtype: 'error_telepathy' }],
    ['a content block', { type: 'assistant', message: { ...model, content: [{ type: 'odour', o: 1 }] } }],
    [
      'a block in a tool result',
      userWith({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'odour' }] }),
    ],
    ['a stream event', { type: 'stream_event', event: { type: 'message_pause' }, ...ids }],
    [
      'a delta',
      {
        type: 'stream_event',
        event: { type: 'content_block_delta', index: 0, delta: { type: 'odour_delta' } },
        ...ids,
      },
    ],
    ['a stop reason', { type: 'assistant', message: { ...model, stop_reason: 'bored' } }],
    ['an assistant error', { type: 'assistant', message: model, error: 'bored' }],
    ['a mode', { type: 'system', subtype: 'init', session_id: 's', permissionMode: 'yolo' }],
    ['a status', { type: 'system', subtype: 'status', status: 'dreaming' }],
    [
      'a control subtype',
      { type: 'control_request', request_id: 'r', request: { subtype: 'telepathy', x: 1 } },
    ],
    ['a control outcome', { type: 'control_response', response: { subtype: 'later', request_id: 'r' } }],
    ['a hook event', hookCallback({ hook_event_name: 'Sneeze', force: 9 })],
    ['a permission update', canUseTool([{ type: 'addDreams', dreams: [] }])],
    ['a destination', canUseTool([{ type: 'addDirectories', directories: [], destination: 'moon' }])],
  ])('[MSG4] %s from an agent is kept whole', (_, message) => {
    const line = JSON.stringify(message);
    const value: unknown = JSON.parse(line);
    expect(parseAgentMessage(value)).toBe(value);
    expect(JSON.stringify(value)).toBe(line);
  });

  it.each<[string, object]>([
    ['a type', { type: 'banana' }],
    [
      'a control subtype',
      { type: 'control_request', request_id: 'r', request: { subtype: 'telepathy', x: 1 } },
    ],
    [
      'a mode',
      { type: 'control_request', request_id: 'r', request: { subtype: 'set_permission_mode', mode: 'yolo' } },
    ],
    ['a priority', { ...userWith({ type: 'text', text: 't' }), priority: 'whenever' }],
  ])('[MSG4] %s from a host is kept whole', (_, message) => {
    expect(parseHostMessage(message)).toBe(message);
  });

  it('[MSG4] an unknown decision or hook output is kept for whoever asked to judge', () => {
    expect(parseControlPayload('can_use_tool', { behavior: 'ponder' })).toEqual({ behavior: 'ponder' });
    expect(parseControlPayload('hook_callback', { decision: 'shrug', extra: 1 })).toEqual({
      decision: 'shrug',
      extra: 1,
    });
  });

  it('[MSG4] a mode is known only when it is listed', () => {
    expect(isPermissionMode('acceptEdits')).toBe(true);
    expect(isPermissionMode('yolo')).toBe(false);
  });

  it('[MSG4] leaves the known ones to be told apart by comparing names', () => {
    const parsed = [
      {
        type: 'assistant',
        message: { ...model, content: [{ type: 'text', text: 'hello' }, { type: 'odour' }] },
      },
      { type: 'system', subtype: 'init', session_id: 's', cwd: '/p' },
      { type: 'system', subtype: 'telepathy' },
      { type: 'telepathy' },
    ].map(parseAgentMessage);
    expect(parsed.map(summary)).toEqual(['hello', '/p', 'some telepathy', 'telepathy']);
  });
});

/** Compiles only while comparing a name narrows the union, unknown members and all. */
function summary(message: AgentMessage): string {
  switch (message.type) {
    case 'assistant':
      return message.message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    case 'system':
      return message.subtype === 'init' ? (message.cwd ?? '') : `some ${message.subtype.toString()}`;
    default:
      return message.type.toString();
  }
}

function userWith(block: object) {
  return { type: 'user', message: { role: 'user', content: [block] } };
}

function hookCallback(input: object) {
  return {
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'hook_callback', callback_id: 'c', input },
  };
}

function canUseTool(suggestions: object[]) {
  const request = {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: {},
    permission_suggestions: suggestions,
  };
  return { type: 'control_request', request_id: 'r', request };
}

import {
  type ControlSubtype,
  checkControlPayload,
  MessageEncodeError,
  parseAgentMessage,
  parseControlPayload,
} from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { controlPayloads } from '../../src/schema/control-payload.ts';
import { isObject } from '../schema/json.ts';
import { recordings } from '../schema/recordings.ts';
import { errorOf } from '../schema/thrown.ts';

describe('answers to control requests', () => {
  it('[MSG11] as recorded fit the requests that they answer', () => {
    const answered = new Set<ControlSubtype>();
    const requests = new Map<string, unknown>();
    for (const { file, message } of recordings) {
      if (!isObject(message)) continue;
      const { request, response } = message;
      if (isObject(request)) requests.set(JSON.stringify([file, message.request_id]), request.subtype);
      if (!isObject(response) || response.subtype !== 'success') continue;
      const subtype = requests.get(JSON.stringify([file, response.request_id]));
      if (!isControlSubtype(subtype)) continue;
      const payload = response.response ?? {};
      expect(parseControlPayload(subtype, payload)).toBe(payload);
      answered.add(subtype);
    }
    expect(answered.size).toBe(28);
  });

  it('[MSG11] without a body are empty objects', () => {
    expect(parseControlPayload('interrupt', undefined)).toEqual({});
    expect(parseControlPayload('set_model', null)).toEqual({});
  });

  it('[MSG11] are typed by the request', () => {
    const decision = parseControlPayload('can_use_tool', { behavior: 'deny', message: 'no' });
    expect(decision.behavior === 'deny' ? decision.message : '').toBe('no');
    expect(parseControlPayload('rewind_files', { canRewind: true, filesChanged: 3 }).filesChanged).toBe(3);
    expect(
      parseControlPayload('rewind_files', { canRewind: true, filesChanged: ['f'] }).filesChanged,
    ).toEqual(['f']);
  });

  it('[MSG12] that we give are checked strictly', () => {
    expect(() => checkControlPayload('can_use_tool', { behavior: 'allow', updatedInput: {} })).not.toThrow();
    expect(() => checkControlPayload('hook_callback', { async: true, asyncTimeout: 5 })).not.toThrow();
    expect(() => checkControlPayload('hook_callback', { decision: 'block', reason: 'r' })).not.toThrow();
    const hasty: [ControlSubtype, object, string][] = [
      ['can_use_tool', { behavior: 'allow' }, 'can_use_tool response: missing field "updatedInput"'],
      ['can_use_tool', { behavior: 'deny', message: 'm', reason: 'r' }, 'unknown field "reason"'],
      [
        'hook_callback',
        { decision: 'shrug' },
        'hook_callback response: field "decision" must be "approve" or "block"',
      ],
      ['set_permission_mode', { mode: 'yolo' }, 'field "mode" must be "default"'],
      ['interrupt', { stopped: true }, 'unknown field "stopped"'],
    ];
    for (const [subtype, payload, text] of hasty) {
      const error = errorOf(() => Reflect.apply(checkControlPayload, undefined, [subtype, payload]));
      expect(error).toBeInstanceOf(MessageEncodeError);
      expect(error).toHaveProperty('message', expect.stringContaining(text));
    }
  });

  it('[MSG12] can hand a suggestion back as it came', () => {
    const suggestion = { type: 'addDreams', dreams: ['d'], destination: 'moon' };
    const message = parseAgentMessage({
      type: 'control_request',
      request_id: 'r',
      request: { subtype: 'can_use_tool', tool_name: 'T', input: {}, permission_suggestions: [suggestion] },
    });
    if (message.type !== 'control_request' || message.request.subtype !== 'can_use_tool')
      throw new Error('unreachable');
    const updatedPermissions = message.request.permission_suggestions ?? [];
    checkControlPayload('can_use_tool', { behavior: 'allow', updatedInput: {}, updatedPermissions });
    expect(updatedPermissions).toEqual([suggestion]);
  });
});

function isControlSubtype(subtype: unknown): subtype is ControlSubtype {
  return typeof subtype === 'string' && Object.hasOwn(controlPayloads, subtype);
}

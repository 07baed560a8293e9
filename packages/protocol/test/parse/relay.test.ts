import {
  encodeHostMessage,
  encodeRelayStatus,
  isRelayAnswer,
  MessageEncodeError,
  parseControlPayload,
  parseHostMessage,
  RELAY_STATUS,
  translateRelayAnswer,
} from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../schema/thrown.ts';

const input = { command: 'npm test' };

describe('the short answer of agents-ui', () => {
  it('[MSG17] becomes the control response that agents understand', () => {
    const answer: unknown = JSON.parse(
      '{"type":"control_response","request_id":"r-1","permission":{"allow":true}}',
    );
    if (!isRelayAnswer(answer)) throw new Error('not recognised');
    const message = translateRelayAnswer(answer, input);
    expect(message).toEqual({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: 'r-1',
        response: { behavior: 'allow', updatedInput: input },
      },
    });
    expect(parseHostMessage(JSON.parse(encodeHostMessage(message)))).toEqual(message);
  });

  it('[MSG17] becomes a denial with a reason when it does not allow', () => {
    const answer = { type: 'control_response' as const, request_id: 'r-1', permission: { allow: false } };
    const { response } = translateRelayAnswer(answer, input);
    const body = response.subtype === 'success' ? response.response : undefined;
    const decision = parseControlPayload('can_use_tool', body);
    expect(decision).toEqual({ behavior: 'deny', message: 'The user denied this tool call.' });
    const reasoned = translateRelayAnswer(
      { ...answer, permission: { allow: false, message: 'not today' } },
      input,
    );
    expect(reasoned).toHaveProperty('response.response.message', 'not today');
  });

  it('[MSG17] is not mistaken for anything else', () => {
    const real = {
      type: 'control_response',
      response: { subtype: 'success', request_id: 'r', response: {} },
    };
    expect(isRelayAnswer(real)).toBe(false);
    expect(isRelayAnswer({ type: 'control_response', request_id: 'r', permission: { allow: 'yes' } })).toBe(
      false,
    );
    expect(isRelayAnswer(null)).toBe(false);
  });
});

describe('the status of a relay', () => {
  it('[MSG18] is one line that frontends know', () => {
    expect(encodeRelayStatus({ type: 'status', text: RELAY_STATUS.disconnected })).toBe(
      '{"type":"status","text":"claude code disconnected"}',
    );
    expect(errorOf(() => Reflect.apply(encodeRelayStatus, undefined, [{ type: 'status' }]))).toBeInstanceOf(
      MessageEncodeError,
    );
  });
});

import { encodeRelayStatus, isRelayAnswer, MessageEncodeError, RELAY_STATUS } from '@signalbox/protocol';
import { answeredRequest, answerOfHost } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../schema/thrown.ts';

const input = { command: 'npm test' };

describe('the short answer of agents-ui', () => {
  it('[MSG17] is an answer like the long one', () => {
    const short = (permission: object) => ({ type: 'control_response', request_id: 'r-1', permission });
    expect(answeredRequest(short({ allow: true }))).toBe('r-1');
    expect(answerOfHost(short({ allow: true }), { input })).toEqual({ behavior: 'allow' });
    expect(answerOfHost(short({ allow: false }), { input })).toEqual({ behavior: 'deny' });
    expect(answerOfHost(short({ allow: false, message: 'not today' }), { input })).toEqual({
      behavior: 'deny',
      message: 'not today',
    });
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

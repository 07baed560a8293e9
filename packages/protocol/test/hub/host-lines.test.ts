import { ControlRefusedError, SignalboxError } from '@signalbox/protocol';
import { answerMessage, HostAsks, hostShare, replayOf } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';

const AGENT = { by: 'agent' } as const;
const HUB = { by: 'hub' } as const;
const ADA = { by: 'person', name: 'Ada', device: 'laptop' } as const;

describe('a session of a hub as an agent', () => {
  it.each([
    [AGENT, 'assistant', 'line'],
    [AGENT, 'hub', 'line'],
    [AGENT, 'bridge', 'nothing'],
    [AGENT, 'control_request', 'control'],
    [AGENT, 'control_response', 'control'],
    [ADA, 'user', 'replay'],
    [ADA, 'control_response', 'answer'],
    [HUB, 'hub', 'note'],
    [HUB, 'control_response', 'answer'],
  ] as const)('[RY1873] of what %o says as %s, a host is told: %s', (author, type, share) => {
    expect(hostShare(author, type)).toBe(share);
  });

  it('[RY1873] a host is asked once, and told that it is over unless it has answered', () => {
    const asks = new HostAsks();
    expect([asks.begin('one'), asks.begin('one'), asks.begin('two')]).toEqual([true, false, true]);
    asks.answering('one');
    // The hub still has it as open, after a break for example: the answer is on its way.
    expect(asks.begin('one')).toBe(false);
    expect([asks.end('one'), asks.end('two'), asks.end('two'), asks.end('three')]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    // An agent may use an id again.
    expect(asks.begin('one')).toBe(true);
  });

  it('[RY1873] an answer, an error of the hub and a refusal of the agent are answers like an agent’s', async () => {
    const responseOf = async (answer: Promise<object>) =>
      (await answerMessage('r', answer.then(fields))).response;
    expect(await responseOf(Promise.resolve({ a: 1 }))).toEqual({
      subtype: 'success',
      request_id: 'r',
      response: { a: 1 },
    });
    expect(await responseOf(Promise.reject(new SignalboxError('NO_SUCH', 'There is none.')))).toEqual({
      subtype: 'error',
      request_id: 'r',
      error: 'There is none.',
      error_code: 'no_such',
    });
    const refused = new ControlRefusedError('set_model', {
      subtype: 'error',
      request_id: 'x',
      error: 'no',
      more: 1,
    });
    expect(await responseOf(Promise.reject(refused))).toEqual({
      subtype: 'error',
      request_id: 'r',
      error: 'no',
      more: 1,
    });
    expect(replayOf({ type: 'user', uuid: 'u' })).toEqual({ type: 'user', uuid: 'u', isReplay: true });
  });
});

function fields(value: object): Record<string, unknown> {
  return { ...value };
}

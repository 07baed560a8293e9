import { LIMITS, WireLine } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { EventMemory, REMEMBERED_EVENTS } from '../../src/hybrid/event-memory.ts';

const linesOf = (messages: readonly unknown[]): WireLine[] =>
  messages.map((message) => WireLine.of(JSON.stringify(message)));

function admit(memory: EventMemory, messages: readonly unknown[], postId?: string): unknown[] {
  return memory.admit(linesOf(messages), postId).map((line) => line.json());
}

const user = (uuid: string): object => ({ type: 'user', message: {}, uuid });

describe('EventMemory', () => {
  it.each([
    ['uuid', user('u')],
    ['request_id', { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } }],
    ['response.request_id', { type: 'control_response', response: { subtype: 'success', request_id: 'r' } }],
  ])('[HY5] knows an event again by its %s', (_id, message) => {
    const memory = new EventMemory();
    expect(admit(memory, [message])).toEqual([message]);
    expect(admit(memory, [{ type: 'other' }, message, user('new')])).toEqual([
      { type: 'other' },
      user('new'),
    ]);
  });

  it('[HY5] takes an event that comes twice in one POST once', () => {
    expect(admit(new EventMemory(), [user('u'), user('v'), user('u')])).toEqual([user('u'), user('v')]);
  });

  it('[HY5] tells apart a request, what cancels it and what answers another one of the same id', () => {
    const messages = [
      { type: 'control_request', request_id: 'r', request: {} },
      { type: 'control_cancel_request', request_id: 'r' },
      { type: 'control_response', response: { request_id: 'r' } },
    ];
    expect(admit(new EventMemory(), messages)).toEqual(messages);
  });

  it('[HY6] knows events without an id again by the id of their POST, and by nothing else', () => {
    const memory = new EventMemory();
    const messages = [{ type: 'keep_alive' }, { type: 'keep_alive' }, 1];
    expect(admit(memory, messages, 'first')).toEqual(messages);
    expect(admit(memory, messages, 'first')).toEqual([]);
    expect(admit(memory, messages, 'second')).toEqual(messages);
    expect(admit(memory, messages)).toEqual(messages);
    expect(admit(memory, messages)).toEqual(messages);
  });

  it('[HY6] takes an id or type of unreasonable length for none', () => {
    const memory = new EventMemory();
    const message = user('u'.repeat(10_000));
    expect(admit(memory, [message])).toEqual([message]);
    expect(admit(memory, [message])).toEqual([message]);
    expect(admit(memory, [message], 'p'.repeat(10_000))).toEqual([message]);
    expect(admit(memory, [message], 'p'.repeat(10_000))).toEqual([message]);
    const longType = { type: 't'.repeat(10_000), uuid: 'u' };
    expect(admit(memory, [longType])).toEqual([longType]);
    expect(admit(memory, [longType])).toEqual([longType]);
  });

  it('[HY7] remembers so many events, and forgets the oldest first', () => {
    const memory = new EventMemory();
    for (let n = 0; n <= REMEMBERED_EVENTS; n += 1) admit(memory, [user(`u${n}`)]);
    expect(admit(memory, [user(`u${REMEMBERED_EVENTS}`), user('u1')])).toEqual([]);
    expect(admit(memory, [user('u0')])).toEqual([user('u0')]);
  });

  it('[HY7] always remembers a whole POST', () => {
    const memory = new EventMemory();
    const messages = Array.from({ length: LIMITS.eventsPerPost.most }, (_, n) => user(`u${n}`));
    admit(memory, [user('before')]);
    expect(admit(memory, messages)).toHaveLength(messages.length);
    expect(admit(memory, messages)).toEqual([]);
  });
});

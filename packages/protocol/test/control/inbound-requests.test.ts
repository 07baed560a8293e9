import { ControlRefusal, ControlRefusedError, type JsonObject, LIMITS } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { quiet, refusal, startPeer, success } from './far-side.ts';

/** A handler that settles when the test says so. */
class SlowHandler {
  readonly signals: AbortSignal[] = [];
  readonly finish: ((response: JsonObject) => void)[] = [];
  readonly fail: ((error: Error) => void)[] = [];

  readonly handle = (_: JsonObject, { signal }: { signal: AbortSignal }): Promise<JsonObject> => {
    this.signals.push(signal);
    return new Promise((resolve, reject) => {
      this.finish.push(resolve);
      this.fail.push(reject);
    });
  };
}

describe('requests of the other side', () => {
  it('[CP12] answers with what the handler of the subtype returns', async () => {
    const { peer, far } = startPeer();
    peer.handle('echo', (request, { requestId }) => ({ ...request, requestId }));
    peer.handle('later', async () => ({ later: true }));
    await far.ask('a', { subtype: 'echo', n: 1 });
    await far.ask('b', { subtype: 'later' });
    expect(far.heard).toEqual([
      success('a', { subtype: 'echo', n: 1, requestId: 'a' }),
      success('b', { later: true }),
    ]);
  });

  it('[CP12] answers without a response when the handler returns none', async () => {
    const { peer, far } = startPeer();
    peer.handle('interrupt', () => {});
    await far.ask('a', { subtype: 'interrupt' });
    expect(far.heard).toEqual([success('a')]);
  });

  it('[CP12] lets the last handler of a subtype win', async () => {
    const { peer, far } = startPeer();
    peer.handle('ask', () => ({ from: 'first' }));
    peer.handle('ask', () => ({ from: 'last' }));
    await far.ask('a', { subtype: 'ask' });
    expect(far.heard).toEqual([success('a', { from: 'last' })]);
  });

  it('[CP12] answers in the order in which the handlers finish', async () => {
    const { peer, far } = startPeer();
    const slow = new SlowHandler();
    peer.handle('slow', slow.handle);
    for (const id of ['a', 'b']) await far.ask(id, { subtype: 'slow' });
    slow.finish[1]?.({ n: 2 });
    await quiet();
    slow.finish[0]?.({ n: 1 });
    await quiet();
    expect(far.heard).toEqual([success('b', { n: 2 }), success('a', { n: 1 })]);
  });

  it('[CP13] fires the signal of a cancelled request and answers nothing', async () => {
    const { peer, far } = startPeer();
    const slow = new SlowHandler();
    peer.handle('slow', slow.handle);
    for (const id of ['a', 'b', 'c']) await far.ask(id, { subtype: 'slow' });
    await far.cancel('a');
    await far.cancel('b');
    await far.cancel('unknown');
    expect(slow.signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    slow.finish[0]?.({});
    slow.fail[1]?.(new Error('cancelled'));
    slow.finish[2]?.({});
    await quiet();
    expect(far.heard).toEqual([success('c', {})]);
  });

  it('[CP13] frees the id of a cancelled request', async () => {
    const { peer, far } = startPeer();
    const slow = new SlowHandler();
    peer.handle('slow', slow.handle);
    await far.ask('a', { subtype: 'slow' });
    await far.cancel('a');
    await far.ask('a', { subtype: 'slow' });
    slow.finish[0]?.({ from: 'cancelled' });
    await quiet();
    expect(far.heard).toEqual([]);
    slow.finish[1]?.({ from: 'second' });
    await quiet();
    expect(far.heard).toEqual([success('a', { from: 'second' })]);
  });

  it('[CP14] refuses a subtype that has no handler', async () => {
    const { far } = startPeer();
    await far.ask('a', { subtype: 'toString' });
    expect(far.heard).toEqual([
      refusal('a', 'Unsupported control request: toString', { error_code: 'unsupported_request' }),
    ]);
  });

  it('[CP15] answers with the text of what a handler throws, at once or later', async () => {
    const { peer, far } = startPeer();
    peer.handle('sync', () => {
      throw new Error('at once');
    });
    peer.handle('async', async () => {
      throw new Error('later');
    });
    peer.handle('text', () => Promise.reject('just text'));
    for (const subtype of ['sync', 'async', 'text']) await far.ask(subtype, { subtype });
    expect(far.heard).toEqual([
      refusal('sync', 'at once'),
      refusal('async', 'later'),
      refusal('text', 'just text'),
    ]);
  });

  it.each([
    ['has no text', Object.create(null)],
    ['has a message that is no text', Object.assign(new Error(), { message: 1n })],
  ])('[CP15] answers also when what is thrown %s', async (_, thrown) => {
    const { peer, far } = startPeer();
    peer.handle('odd', () => Promise.reject(thrown));
    await far.ask('a', { subtype: 'odd' });
    expect(far.heard).toEqual([refusal('a', expect.stringMatching(/cannot express|without a text/))]);
  });

  it('[CP16] answers with an error when JSON cannot express the response', async () => {
    const { peer, far } = startPeer();
    const circular: JsonObject = {};
    circular.self = circular;
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
    const responses = [{ big: 1n }, circular, deep];
    for (const [at, response] of responses.entries()) {
      peer.handle('odd', () => response);
      await far.ask(`q${at}`, { subtype: 'odd' });
    }
    expect(far.heard).toEqual(responses.map((_, at) => refusal(`q${at}`, expect.any(String))));
  });

  it('[CP17] answers a ControlRefusal with its fields beside the text', async () => {
    const { peer, far } = startPeer();
    const open = [{ type: 'control_request', request_id: 'p', request: { subtype: 'can_use_tool' } }];
    peer.handle('initialize', () => {
      throw new ControlRefusal('Already initialized', { pending_permission_requests: open });
    });
    await far.ask('a', { subtype: 'initialize' });
    expect(far.heard).toEqual([refusal('a', 'Already initialized', { pending_permission_requests: open })]);
  });

  it("[CP17] keeps the envelope its own when a refusal passes on another peer's answer", async () => {
    const { peer, far } = startPeer();
    const inner = new ControlRefusedError('no', {
      subtype: 'error',
      request_id: 'inner',
      error: 'no',
      error_code: 'x',
    });
    peer.handle('ask', () => {
      throw new ControlRefusal(inner.message, inner.response);
    });
    await far.ask('outer', { subtype: 'ask' });
    expect(far.heard).toEqual([refusal('outer', 'no', { error_code: 'x' })]);
  });

  it('[CP17] refuses also when JSON cannot express the fields', async () => {
    const { peer, far } = startPeer();
    peer.handle('ask', () => {
      throw new ControlRefusal('no', { big: 1n });
    });
    await far.ask('a', { subtype: 'ask' });
    expect(far.heard).toEqual([refusal('a', expect.stringContaining('cannot express'))]);
  });

  it.each([undefined, null, 'interrupt', [], {}, { subtype: 7 }])(
    '[CP18] refuses the request %j, which has no subtype',
    async (request) => {
      const { peer, far } = startPeer();
      await far.ask('a', request);
      expect(far.heard).toEqual([
        refusal('a', 'The request has no subtype.', { error_code: 'invalid_request' }),
      ]);
      expect(peer.unansweredRequests()).toEqual([]);
    },
  );

  it('[CP19] works once on a request that is sent again before it is answered', async () => {
    const { peer, far } = startPeer();
    const slow = new SlowHandler();
    peer.handle('slow', slow.handle);
    await far.ask('a', { subtype: 'slow' });
    await far.ask('a', { subtype: 'slow' });
    expect(slow.finish).toHaveLength(1);
    slow.finish[0]?.({});
    await quiet();
    expect(far.heard).toEqual([success('a', {})]);
  });

  it('[CP20] refuses what is more than it works on at once, a cancelled handler that goes on included', async () => {
    const { peer, far } = startPeer();
    const slow = new SlowHandler();
    peer.handle('slow', slow.handle);
    const asked: Promise<void>[] = [];
    for (let at = 0; at < LIMITS.requestsInWork.most; at += 1)
      asked.push(far.ask(`q${at}`, { subtype: 'slow' }));
    await Promise.all(asked);
    await far.cancel('q0');
    await far.ask('more', { subtype: 'slow' });
    expect(slow.finish).toHaveLength(LIMITS.requestsInWork.most);
    expect(far.heard).toEqual([refusal('more', expect.any(String), { error_code: 'too_many_requests' })]);
    slow.finish[0]?.({});
    await quiet();
    await far.ask('again', { subtype: 'slow' });
    expect(slow.finish).toHaveLength(LIMITS.requestsInWork.most + 1);
  });

  it('[CP20] reads no further while a peer that asks too much does not take its answers', async () => {
    const { peer, near, far } = startPeer({ onMessage: () => void (read += 1) });
    let read = 0;
    let open = (): void => {};
    near.room = new Promise((resolve) => {
      open = resolve;
    });
    peer.handle('ask', () => {});
    const asked: Promise<void>[] = [];
    for (let at = 0; at <= LIMITS.requestsInWork.most; at += 1)
      asked.push(far.ask(`q${at}`, { subtype: 'ask' }));
    await Promise.all(asked);
    await far.say({ type: 'user' });
    expect(read).toBe(0);
    open();
    await quiet();
    expect(read).toBe(1);
    expect(far.heard).toHaveLength(LIMITS.requestsInWork.most + 1);
    expect(
      far.heard.filter(({ response }) => JSON.stringify(response).includes('too_many_requests')),
    ).toHaveLength(1);
  });

  it('[CP21] fires the signal of every running handler when the channel ends, and answers nothing', async () => {
    const { peer, far, ended } = startPeer();
    const slow = new SlowHandler();
    peer.handle('slow', slow.handle);
    for (const id of ['a', 'b']) await far.ask(id, { subtype: 'slow' });
    await far.end();
    await ended;
    expect(slow.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(peer.unansweredRequests()).toEqual([]);
    slow.finish[0]?.({});
    slow.fail[1]?.(new Error('too late'));
    await quiet();
    expect(far.heard).toEqual([]);
  });

  it('[CP22] lists what its handlers still work on, oldest first', async () => {
    const { peer, far } = startPeer();
    const slow = new SlowHandler();
    peer.handle('slow', slow.handle);
    for (const id of ['a', 'b', 'c']) await far.ask(id, { subtype: 'slow', id });
    const ids = (): string[] => peer.unansweredRequests().map(({ request_id }) => request_id);
    expect(ids()).toEqual(['a', 'b', 'c']);
    expect(peer.unansweredRequests()[1]).toEqual({
      type: 'control_request',
      request_id: 'b',
      request: { subtype: 'slow', id: 'b' },
    });
    slow.finish[1]?.({});
    await far.cancel('a');
    expect(ids()).toEqual(['c']);
  });
});

import { getEventListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { ControlPeer, type JsonObject } from '@signalbox/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createChannelPair } from './channel-pair.ts';
import { quiet, rejection, startPeer } from './far-side.ts';

const CANCEL_R1 = { type: 'control_cancel_request', request_id: 'r1' };

describe('requests of ours', () => {
  it('[CP1] sends the request as a control_request and resolves with its answer', async () => {
    const { peer, far } = startPeer();
    const answer = peer.request({ subtype: 'set_model', model: 'm' });
    await quiet();
    expect(far.heard).toEqual([
      { type: 'control_request', request_id: 'r1', request: { subtype: 'set_model', model: 'm' } },
    ]);
    await far.answer('r1', { model: 'm' });
    expect(await answer).toEqual({ model: 'm' });
  });

  it('[CP1] matches answers that come in another order', async () => {
    const { peer, far } = startPeer();
    const answers = [1, 2, 3].map((number) => peer.request({ subtype: 'ask', number }));
    for (const id of ['r3', 'r1', 'r2']) await far.answer(id, { for: id });
    expect(await Promise.all(answers)).toEqual([{ for: 'r1' }, { for: 'r2' }, { for: 'r3' }]);
  });

  it('[CP1] lets two peers ask each other many things at once', async () => {
    const [left, right] = createChannelPair();
    const peers = [new ControlPeer(left), new ControlPeer(right)];
    for (const peer of peers) {
      peer.handle('double', async ({ number }) => {
        await setTimeout(Number(number) % 7);
        return { number: 2 * Number(number) };
      });
      void peer.run();
    }
    const numbers = Array.from({ length: 100 }, (_, number) => number);
    const answers = numbers.flatMap((number) =>
      peers.map((peer) => peer.request({ subtype: 'double', number })),
    );
    expect(await Promise.all(answers)).toEqual(
      numbers.flatMap((number) => peers.map(() => ({ number: 2 * number }))),
    );
  });

  it.each([undefined, null, 'text', 7, [1]])(
    '[CP1] takes an answer of %j for an empty one',
    async (response) => {
      const { peer, far } = startPeer();
      const answer = peer.request({ subtype: 'interrupt' });
      await far.answer('r1', response);
      expect(await answer).toEqual({});
    },
  );

  it('[CP2] gives up after the timeout and tells the other side', async () => {
    const { peer, far } = startPeer();
    const error = await rejection(peer.request({ subtype: 'slow' }, { timeoutMs: 5 }));
    expect(error).toMatchObject({ code: 'CONTROL_TIMEOUT', message: expect.stringContaining('slow') });
    await quiet();
    expect(far.heard[1]).toEqual(CANCEL_R1);
  });

  it('[CP2] takes the default for a request that has no timeout of its own', async () => {
    const { peer, far } = startPeer({ defaultTimeoutMs: 5 });
    const patient = peer.request({ subtype: 'slow' }, { timeoutMs: Number.POSITIVE_INFINITY });
    expect(await rejection(peer.request({ subtype: 'slow' }))).toMatchObject({ code: 'CONTROL_TIMEOUT' });
    await far.answer('r1', { late: true });
    expect(await patient).toEqual({ late: true });
  });

  it.each([undefined, 2 ** 31, Number.POSITIVE_INFINITY])(
    '[CP2] waits on with a timeout of %s',
    async (timeoutMs) => {
      const { peer, far } = startPeer();
      const answer = peer.request({ subtype: 'slow' }, timeoutMs === undefined ? {} : { timeoutMs });
      await setTimeout(20);
      await far.answer('r1', { late: true });
      expect(await answer).toEqual({ late: true });
    },
  );

  it('[CP2] leaves no timer and no listener behind', async () => {
    const { peer, far } = startPeer();
    const set = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void vi.restoreAllMocks());
    const { signal } = new AbortController();
    const answer = peer.request({ subtype: 'ask' }, { timeoutMs: 60_000, signal });
    const timer = set.mock.results.at(-1)?.value;
    expect([set.mock.lastCall?.[1], getEventListeners(signal, 'abort').length]).toEqual([60_000, 1]);
    await far.answer('r1');
    await answer;
    expect(cleared).toHaveBeenCalledWith(timer);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('[CP3] rejects a request whose signal fires, and tells the other side', async () => {
    const { peer, far } = startPeer();
    const controller = new AbortController();
    const answer = rejection(peer.request({ subtype: 'ask' }, { signal: controller.signal }));
    await quiet();
    controller.abort('enough');
    expect(await answer).toMatchObject({ code: 'CONTROL_ABORTED', cause: 'enough' });
    await quiet();
    expect(far.heard[1]).toEqual(CANCEL_R1);
  });

  it('[CP3] sends nothing for a signal that has fired before', async () => {
    const { peer, far } = startPeer();
    const error = await rejection(peer.request({ subtype: 'ask' }, { signal: AbortSignal.abort('early') }));
    expect(error).toMatchObject({ code: 'CONTROL_ABORTED', cause: 'early' });
    await quiet();
    expect(far.heard).toEqual([]);
  });

  it('[CP3] cancels nothing that was answered, not even when the answer makes the signal fire', async () => {
    const { peer, far } = startPeer();
    const controller = new AbortController();
    const check = (answer: JsonObject): JsonObject => {
      controller.abort();
      return answer;
    };
    const answer = peer.request({ subtype: 'ask' }, { signal: controller.signal, timeoutMs: 5, check });
    await far.answer('r1', { in: 'time' });
    expect(await answer).toEqual({ in: 'time' });
    await setTimeout(10);
    expect(far.heard).toHaveLength(1);
  });

  it('[CP4] rejects with what the other side refused it for', async () => {
    const { peer, far } = startPeer();
    const answer = rejection(peer.request({ subtype: 'initialize' }));
    const open = [{ type: 'control_request', request_id: 'p1', request: { subtype: 'can_use_tool' } }];
    await far.refuse('r1', 'Already initialized', { error_code: 'again', pending_permission_requests: open });
    expect(await answer).toMatchObject({
      code: 'CONTROL_REFUSED',
      message: 'Already initialized',
      errorCode: 'again',
      response: { pending_permission_requests: open },
    });
  });

  it('[CP4] rejects also when the error has no text', async () => {
    const { peer, far } = startPeer();
    const answer = rejection(peer.request({ subtype: 'ask' }));
    await far.refuse('r1', { not: 'text' });
    expect(await answer).toMatchObject({
      code: 'CONTROL_REFUSED',
      message: 'Unknown error',
      errorCode: undefined,
    });
  });

  it('[CP5] resolves with what the check of an answer returns, and rejects when it throws', async () => {
    const { peer, far } = startPeer();
    const check = (answer: JsonObject): JsonObject => {
      if (answer.mode === undefined) throw new Error('mode is missing');
      return { checked: answer.mode };
    };
    const good = peer.request({ subtype: 'set_permission_mode' }, { check });
    const bad = rejection(peer.request({ subtype: 'set_permission_mode' }, { check }));
    await far.answer('r1', { mode: 'plan' });
    await far.answer('r2', {});
    expect(await good).toEqual({ checked: 'plan' });
    expect(await bad).toMatchObject({
      code: 'CONTROL_ANSWER_INVALID',
      message: expect.stringContaining('mode is missing'),
    });
  });

  it('[CP6] hands over answers that nobody waits for', async () => {
    const late: JsonObject[] = [];
    const { peer, far } = startPeer({ onLateResponse: (response) => late.push(response) });
    const controller = new AbortController();
    const aborted = rejection(peer.request({ subtype: 'ask' }, { signal: controller.signal }));
    const timedOut = rejection(peer.request({ subtype: 'ask' }, { timeoutMs: 1 }));
    const answered = peer.request({ subtype: 'ask' });
    controller.abort();
    await Promise.all([aborted, timedOut]);
    for (const id of ['r1', 'r2', 'r3', 'r3', 'of an earlier life']) await far.answer(id, { for: id });
    expect(await answered).toEqual({ for: 'r3' });
    expect(late.map(({ response }) => response)).toMatchObject([
      { request_id: 'r1', response: { for: 'r1' } },
      { request_id: 'r2' },
      { request_id: 'r3' },
      { request_id: 'of an earlier life' },
    ]);
  });

  it('[CP7] rejects a request that JSON cannot express with the reason, and sends nothing', async () => {
    const { peer, far } = startPeer();
    expect(await rejection(peer.request({ subtype: 'can_use_tool', input: 1n }))).toBeInstanceOf(TypeError);
    expect(await rejection(peer.send({ type: 'user', input: 1n }))).toBeInstanceOf(TypeError);
    expect(peer.pendingPermissionRequests()).toEqual([]);
    await quiet();
    expect(far.heard).toEqual([]);
  });

  it('[CP8] rejects a request that the channel does not take', async () => {
    const { peer, near } = startPeer();
    const gone = new Error('gone');
    near.room = Promise.reject(gone);
    const error = await rejection(peer.request({ subtype: 'can_use_tool' }));
    expect(error).toMatchObject({ code: 'CONTROL_CLOSED', message: 'Stream closed', cause: gone });
    expect(peer.pendingPermissionRequests()).toEqual([]);
  });

  it('[CP8] rejects a request when the channel throws instead of rejecting', async () => {
    const gone = new Error('gone');
    const [near] = createChannelPair();
    near.send = () => {
      throw gone;
    };
    expect(await rejection(new ControlPeer(near).request({ subtype: 'ask' }))).toMatchObject({ cause: gone });
  });

  it('[CP9] rejects everything pending when the channel ends, and sends nothing more', async () => {
    const { peer, far, ended } = startPeer();
    const signal = new AbortController();
    const all = [
      peer.request({ subtype: 'can_use_tool' }),
      peer.request({ subtype: 'ask' }, { timeoutMs: 5, signal: signal.signal }),
    ].map(rejection);
    await far.end();
    await ended;
    signal.abort();
    for (const error of await Promise.all(all)) {
      expect(error).toMatchObject({
        code: 'CONTROL_CLOSED',
        message: 'Tool permission stream closed before response received',
      });
    }
    await setTimeout(10);
    expect(far.heard).toHaveLength(2);
  });

  it('[CP9] names the failure of the channel as the cause', async () => {
    const { peer, far, ended } = startPeer();
    const pending = rejection(peer.request({ subtype: 'ask' }));
    const broken = new Error('broken');
    const outcome = rejection(ended);
    await far.fail(broken);
    await outcome;
    expect(await pending).toMatchObject({ code: 'CONTROL_CLOSED', cause: broken });
    expect(await rejection(peer.request({ subtype: 'ask' }))).toMatchObject({
      message: 'Stream closed',
      cause: broken,
    });
  });

  it('[CP10] refuses a request after the close without sending it', async () => {
    const { peer, far } = startPeer();
    peer.close();
    const error = await rejection(peer.request({ subtype: 'ask' }));
    expect(error).toMatchObject({ code: 'CONTROL_CLOSED', message: 'Stream closed' });
    await quiet();
    expect(far.heard).toEqual([]);
  });

  it('[CP11] lists the permission requests that nobody has answered, oldest first', async () => {
    const { peer, far } = startPeer();
    const ask = (tool_name: string): Promise<JsonObject> =>
      peer.request({ subtype: 'can_use_tool', tool_name });
    const all = [ask('Bash'), ask('Write'), peer.request({ subtype: 'hook_callback' }), ask('Edit')];
    const tools = (): unknown[] => peer.pendingPermissionRequests().map(({ request }) => request.tool_name);
    expect(tools()).toEqual(['Bash', 'Write', 'Edit']);
    expect(peer.pendingPermissionRequests()[0]).toEqual({
      type: 'control_request',
      request_id: 'r1',
      request: { subtype: 'can_use_tool', tool_name: 'Bash' },
    });
    await far.answer('r2');
    expect(tools()).toEqual(['Bash', 'Edit']);
    for (const id of ['r1', 'r3', 'r4']) await far.answer(id);
    await Promise.all(all);
    expect(tools()).toEqual([]);
  });
});

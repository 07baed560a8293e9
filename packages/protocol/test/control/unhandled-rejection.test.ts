import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quiet, rejection, startPeer } from './far-side.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

describe('unhandled rejections', () => {
  beforeAll(() => {
    process.on('unhandledRejection', note);
  });

  afterAll(() => {
    process.off('unhandledRejection', note);
  });

  it('[CP29] come from nothing that goes wrong', async () => {
    const { peer, near, far, ended } = startPeer();
    const outcome = rejection(ended);
    peer.handle('throw', () => Promise.reject(new Error('no')));
    peer.handle('odd', () => Promise.reject(Object.create(null)));
    peer.handle('never', () => new Promise(() => {}));
    peer.handle('big', () => ({ big: 1n }));
    const controller = new AbortController();
    const requests = [
      peer.request({ subtype: 'ask' }, { signal: controller.signal }),
      peer.request({ subtype: 'ask' }, { timeoutMs: 1 }),
      peer.request({ subtype: 'ask', big: 1n }),
      peer.request({ subtype: 'ask' }),
    ].map(rejection);
    for (const subtype of ['throw', 'odd', 'never', 'big', 'unsupported'])
      await far.ask(subtype, { subtype });
    near.room = Promise.reject(new Error('gone'));
    for (const subtype of ['throw', 'odd', 'big', 'unsupported']) await far.ask(`${subtype} 2`, { subtype });
    await far.ask('no subtype', {});
    controller.abort();
    await setTimeout(10);
    await far.fail(new Error('broken'));
    expect(await outcome).toMatchObject({ message: 'broken' });
    expect((await Promise.all(requests)).length).toBe(4);
    await quiet();
    expect(unhandled).toEqual([]);
  });
});

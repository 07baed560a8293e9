import { EVENT_MS } from '@signalbox/testing/event-limit';
import { ForeignRelay, say } from '@signalbox/testing/foreign-relay';
import { describe, expect, it, vi } from 'vitest';
import { HubStage } from './hub-stage.ts';
import { Stranger } from './stranger.ts';

const SLOWLY = { timeout: EVENT_MS, interval: 1000 };

describe('relays nearby', () => {
  it('[CL1100] are listed without a token, and one that lets frontends in is taken part in', async () => {
    const stage = await HubStage.start();
    const relay = await ForeignRelay.start();
    const stranger = await Stranger.atUsualPort();
    const address = `ws://127.0.0.1:${relay.port}`;
    const { code, stdout } = await stage.run('sessions', '--nearby');
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${address} +a relay +theirs`, 'm'));
    const listed = JSON.parse((await stage.run('sessions', '--nearby', '--json')).stdout);
    expect(listed).toContainEqual({ port: relay.port, state: 'open', agents: ['theirs'] });
    expect(listed.map(({ port }: { port: number }) => port)).not.toContain(stranger?.port);

    const pane = await stage.open('attach', address);
    await pane.see('What shall we do?');
    await pane.type('hello');
    await pane.press('Enter');
    await pane.see('Do you want to proceed?');
    // A question that has just appeared takes no keys.
    await vi.waitFor(async () => {
      await pane.press('Enter');
      expect(relay.heard.some(({ type }) => type === 'control_response')).toBe(true);
    }, SLOWLY);
    expect(relay.heard.find(({ type }) => type === 'user')).toMatchObject({
      message: { content: 'hello' },
      session_id: 'theirs',
    });
    expect(relay.heard.find(({ type }) => type === 'control_response')).toMatchObject({
      response: { request_id: 'q', response: { behavior: 'allow' } },
    });
    expect(relay.heard.some(({ request }) => request?.subtype === 'initialize')).toBe(false);
    await vi.waitFor(async () => {
      if (relay.frontends > 0) await pane.press('C-c');
      expect(relay.frontends).toBe(0);
    }, SLOWLY);
    for (const headers of relay.headers) {
      expect(headers.authorization).toBeUndefined();
      expect(headers.cookie).toBeUndefined();
    }
    expect(stranger?.heard ?? '').not.toMatch(/authorization|token|cookie/i);
  });

  it('[CL1528] that say much, or speak to the terminal, are listed in a line of their own', async () => {
    const stage = await HubStage.start();
    const names = [
      ...Array.from({ length: 300 }, (_, n) => `n${n}`),
      '\x1b]2;t\x07\nws://127.0.0.1:1  your hub\u202e',
    ];
    // Made beforehand: a relay that makes them when it is asked answers too late on a busy machine.
    const long = ['\n'.repeat(900_000), '\n'.repeat(60_000_000)].map((text) => Buffer.from(text));
    const relays = [
      await ForeignRelay.start((socket) => {
        for (const name of names.toReversed()) say(socket, { type: 'note', session_id: name });
      }),
      ...(await Promise.all(
        long.map((text) => ForeignRelay.start((socket) => socket.send(text, { binary: false }))),
      )),
      await ForeignRelay.start((socket) => say(socket, { type: 'note', session_id: 'x'.repeat(500_000) })),
    ];
    const { code, stdout } = await stage.run('sessions', '--nearby');
    expect(code).toBe(0);
    for (const { port } of relays)
      expect(stdout.split('\n').filter((line) => line.startsWith(`ws://127.0.0.1:${port} `))).toHaveLength(1);
    for (const sign of ['\x1b', '\x07', '\u202e']) expect(stdout).not.toContain(sign);
    expect(stdout.split('\n').filter((line) => line.startsWith('ws://127.0.0.1:1 '))).toEqual([]);
  });
});

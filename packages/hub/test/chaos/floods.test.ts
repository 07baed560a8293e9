import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '@signalbox/protocol';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ASK_PAUSE_MS, expectSmall, reportWaits, restart, seeds } from './hub-health.ts';

/** How often somebody else has to be answered while a flood is worked on. */
const ENOUGH = 5;

/** Lines that cost the one who says them nothing. */
const LINES = [
  'x',
  '',
  '{}',
  '{"id":"a"}',
  '{"type":"keep_alive"}',
  '[[[[',
  '{"type":"user","uuid":"u"}',
  '\u0000',
];

interface Flood {
  name: string;
  frame: string;
  frames: number;
}

/** One frame of very many lines, and very many frames of a few. */
function floods(seed: number): Flood[] {
  const line = `${LINES[seed % LINES.length]}\n`;
  const many = `${LINES[(seed * 5 + 1) % LINES.length]}\n`;
  // As many as one who may only watch can send in a frame.
  const lines = Math.min(300_000, Math.floor(LIMITS.watchedFrameBytes.most / line.length));
  return [
    { name: `one frame of ${JSON.stringify(line)}`, frame: line.repeat(lines), frames: 1 },
    { name: `10,000 frames of ${JSON.stringify(many)}`, frame: many.repeat(1 + (seed % 4)), frames: 10_000 },
  ];
}

/** A session, and a token that may only watch. */
async function stage() {
  const hub = await HubProcess.start(temporaryFolder(), await freePort());
  await call(hub.url, hub.token, 'POST', '/api/sessions', { id: 's' });
  const grant = { person: 'Wes', name: 'phone', scope: 'watch' };
  const { token } = (await call(hub.url, hub.token, 'POST', '/api/devices', grant)).body;
  const dial = async (path: string, bearer: string = token): Promise<WebSocket> => {
    const headers = { authorization: `Bearer ${bearer}` };
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}${path}`, { headers });
    socket.on('error', () => {});
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  };
  /** Send it, and ask as somebody else until `isOver`; says how often that was answered. */
  const endure = async (
    { name, frame, frames }: Flood,
    socket: WebSocket,
    isOver: () => Promise<boolean>,
  ) => {
    for (let sent = 0; sent < frames; sent += 1) socket.send(frame);
    const waits: number[] = [];
    for (let over = false; !over || waits.length < ENOUGH; ) {
      over ||= await isOver();
      const start = performance.now();
      expect((await call(hub.url, hub.token, 'GET', '/api/sessions')).status).toBe(200);
      waits.push(performance.now() - start);
      await pause(ASK_PAUSE_MS);
    }
    reportWaits(name, hub, waits);
    expectSmall(hub);
    return waits.length;
  };
  return { hub, dial, endure };
}

/** Whether the socket has heard a line that has this. */
function hears(socket: WebSocket, words: string): () => boolean {
  let heard = false;
  socket.on('message', (data) => {
    heard ||= Buffer.isBuffer(data) && data.includes(words);
  });
  return () => heard;
}

describe('floods of lines', () => {
  it.each(seeds())(
    '[FT320] of a viewer: others are answered meanwhile, and a close ends it (seed %i)',
    async (seed) => {
      const { hub, dial, endure } = await stage();
      for (const flood of floods(seed)) {
        const socket = await dial('/api/stream');
        const isClosed = once(socket, 'close').then(([code]) => code);
        let code: number | undefined;
        void isClosed.then((closed) => (code = closed));
        const isDone = hears(socket, '"id":"end"');
        const answered = endure(flood, socket, async () => code !== undefined || isDone());
        socket.send('{"id":"end"}');
        expect(await answered).toBeGreaterThanOrEqual(ENOUGH);
        if (flood.frames === 1) expect(code).toBe(1008);
      }
      await restart('floods of a viewer', hub);
    },
  );

  it.each(seeds())('[FT320] of a host: others are answered meanwhile (seed %i)', async (seed) => {
    const { hub, dial, endure } = await stage();
    for (const flood of floods(seed)) {
      const socket = await dial('/api/sessions/s/wire');
      const isDone = hears(socket, '"request_id":"end"');
      const answered = endure(flood, socket, async () => isDone());
      socket.send('{"type":"control_request","request_id":"end","request":{"subtype":"interrupt"}}');
      expect(await answered).toBeGreaterThanOrEqual(ENOUGH);
      socket.terminate();
    }
    await restart('floods of a host', hub);
  });

  it.each(seeds())(
    '[FT320] of an agent: others are answered meanwhile, and all is in its record (seed %i)',
    async (seed) => {
      const { hub, dial, endure } = await stage();
      for (const [index, flood] of floods(seed).entries()) {
        const id = `flooded-${index}`;
        const socket = await dial(`/ws/${id}`, hub.token);
        const answered = endure(flood, socket, async () => {
          const { status, body } = await call(
            hub.url,
            hub.token,
            'GET',
            `/api/sessions/${id}/events?limit=1`,
          );
          return status === 200 && body.entries?.at(-1)?.message?.uuid === 'end';
        });
        socket.send('{"type":"note","uuid":"end"}\n');
        expect(await answered).toBeGreaterThanOrEqual(ENOUGH);
        socket.terminate();
      }
      await restart('floods of an agent', hub);
    },
  );

  it('[FT320] a host that asks without end and reads no answer is heard no further', async () => {
    const { hub, dial, endure } = await stage();
    const agent = await dial('/ws/s', hub.token);
    agent.on('message', (data) => {
      const id = /"request_id":"([^"]+)"/.exec(Buffer.isBuffer(data) ? data.toString() : '')?.[1];
      const response = { commands: ['x'.repeat(100_000)] };
      const answer = { subtype: 'success', request_id: id, response };
      if (id) agent.send(JSON.stringify({ type: 'control_response', response: answer }));
    });
    await until(async () => (await call(hub.url, hub.token, 'GET', '/api/sessions/s')).body.state === 'idle');
    const socket = await dial('/api/sessions/s/wire');
    socket.pause();
    const frame = '{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n'.repeat(
      10_000,
    );
    let asked = 0;
    await endure({ name: 'unread', frame, frames: 1 }, socket, async () => (asked += 1) > 50);
  });
});

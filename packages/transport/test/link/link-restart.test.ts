import { setImmediate as nextTurn } from 'node:timers/promises';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import type { LinkPosition } from '../../src/link/link-frame.ts';
import type { AcceptedTransport } from '../../src/websocket/accepted-transport.ts';
import type { LinkGap } from '../../src/websocket/receiver.ts';
import { readLines, sendAll, untilState } from '../conversation.ts';
import { numberedLine } from '../sample-lines.ts';
import { accepted, client, comeBack, startServer } from '../websocket/scene.ts';
import { RawLink } from './raw-link.ts';

describe('a receiver that starts again', () => {
  it('[LK3] gets what was not acknowledged, and not what was', async () => {
    const { near, restart } = await dialRestartable();
    const first = await restart(null);
    await sendAll(near, ['1', '2', '3', '4']);
    await readLines(first.receive(), 3);
    first.acknowledge({ epoch: first.position?.epoch ?? '', count: 2 });
    const second = await restart({ epoch: first.position?.epoch ?? '', count: 2 });
    const lines = second.receive();
    expect(await readLines(lines, 2)).toEqual(['3', '4']);
    expect(second.position).toEqual({ epoch: first.position?.epoch, count: 4 });
    await near.send('5');
    expect(await readLines(lines, 1)).toEqual(['5']);
  });

  it.each([1, 2, 3, 4])('[LK3] whenever it stops, it has every line once (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const { near, restart } = await dialRestartable();
    const last = 600;
    const writing = (async () => {
      for (let n = 1; n <= last; n += 1) {
        await near.send(numberedLine(n, random.below(300)));
        if (random.chance(10)) await nextTurn();
      }
    })();
    const durable: { lines: string[]; position: LinkPosition | null } = { lines: [], position: null };
    let restarts = 0;
    while (durable.lines.length < last) {
      const receiver = await restart(durable.position);
      restarts += 1;
      for await (const line of receiver.receive()) {
        durable.lines.push(line.text());
        durable.position = receiver.position;
        // A process may be gone before it has said what it has.
        if (durable.position && random.chance(50)) receiver.acknowledge(durable.position);
        if (durable.lines.length === last || random.chance(3)) break;
        if (random.chance(10)) await nextTurn();
      }
      if (random.chance(50)) await receiver.handOver();
    }
    await writing;
    expect(durable.lines.map((line) => JSON.parse(line).n)).toEqual(durable.lines.map((_, n) => n + 1));
    expect(restarts).toBeGreaterThan(5);
  });

  it('[LK4] is told which lines nobody has any more, once', async () => {
    const { server, near, answers, restart } = await dialRestartable();
    const first = await restart(null);
    await sendAll(
      near,
      Array.from({ length: 10 }, (_, n) => `${n + 1}`),
    );
    await readLines(first.receive(), 10);
    const epoch = first.position?.epoch ?? '';
    first.acknowledge({ epoch, count: 10 });
    await roundTrip(first, answers);

    const gaps: LinkGap[] = [];
    const second = await restart({ epoch, count: 4 }, (gap) => gaps.push(gap));
    await roundTrip(second, answers);
    await comeBack(server, near);
    await near.send('11');
    expect(await readLines(second.receive(), 1)).toEqual(['11']);
    expect(second.position).toEqual({ epoch, count: 11 });
    expect(gaps).toEqual([{ epoch, from: 5, to: 10 }]);
  });

  it('[LK4] without a memory, that is everything that was acknowledged', async () => {
    const { near, answers, restart } = await dialRestartable();
    const first = await restart(null);
    await sendAll(near, ['1', '2', '3']);
    await readLines(first.receive(), 2);
    const epoch = first.position?.epoch ?? '';
    first.acknowledge({ epoch, count: 2 });
    await roundTrip(first, answers);
    const gaps: LinkGap[] = [];
    const second = await restart(null, (gap) => gaps.push(gap));
    expect(await readLines(second.receive(), 1)).toEqual(['3']);
    expect(gaps).toEqual([{ epoch, from: 1, to: 2 }]);
  });
});

describe('a sender that starts again', () => {
  it('[LK5] is known by its epoch, and its lines are not taken for those of the one before', async () => {
    const far = accepted({ lossless: true, acknowledge: 'manual' });
    const { url } = await startServer(far);
    const lines = far.receive();
    const before = await RawLink.greet(url, 'before');
    before.lines(1, 'a', 'b', 'c');
    await readLines(lines, 3);
    expect(far.position).toEqual({ epoch: 'before', count: 3 });
    // The consumer waits for the next line while the sender changes.
    const next = lines.next();
    await before.leave();
    await untilState(far, 'reconnecting');
    const after = await RawLink.greet(url, 'after');
    expect(await after.frame('hello')).toMatchObject({ received: { epoch: 'before', count: 3 } });
    after.lines(1, 'x', 'y');
    expect((await next).value?.text()).toBe('x');
    expect(far.position).toEqual({ epoch: 'after', count: 1 });
    expect(await readLines(lines, 1)).toEqual(['y']);
    expect(far.position).toEqual({ epoch: 'after', count: 2 });
  });

  it('[LK5] lines of both can wait for their reader', async () => {
    const far = accepted({ lossless: true, acknowledge: 'manual' });
    const { url } = await startServer(far);
    const before = await RawLink.greet(url, 'before');
    before.lines(7, 'a', 'b');
    await before.settled();
    await before.leave();
    const after = await RawLink.greet(url, 'after');
    after.lines(1, 'x');
    await after.settled();
    const lines = far.receive();
    const seen: [string | undefined, LinkPosition | null][] = [];
    for (let n = 0; n < 3; n += 1) {
      const { value } = await lines.next();
      seen.push([value?.text(), far.position]);
    }
    expect(seen).toEqual([
      ['a', { epoch: 'before', count: 7 }],
      ['b', { epoch: 'before', count: 8 }],
      ['x', { epoch: 'after', count: 1 }],
    ]);
  });
});

describe('two connections of one sender', () => {
  it('[LK10] the newer one goes on where the older one was, and the older one changes nothing', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const older = await RawLink.greet(url, 'peer');
    older.lines(1, 'a', 'b');
    await older.settled();
    const newer = await RawLink.dial(url);
    older.socket.send('ghost\n');
    newer.say({ link: 'hello', epoch: 'peer', received: null });
    expect(await newer.frame('hello')).toMatchObject({ received: { epoch: 'peer', count: 2 } });
    newer.lines(2, 'b', 'c');
    expect(await readLines(far.receive(), 3)).toEqual(['a', 'b', 'c']);
    expect(await older.closed).toEqual({ code: 4000, reason: 'replaced by a newer connection' });
    expect(far.state).toBe('connected');
  });
});

/** A client, and a server whose transport can be replaced as if its process had started again. */
async function dialRestartable() {
  let current = accepted({ lossless: true });
  const server = await startServer(() => current);
  const near = client(server.url, { lossless: true, outbox: { memoryBytes: 64 * 1024 } });
  void near.connect();
  const restart = async (
    received: LinkPosition | null,
    onGap: (gap: LinkGap) => void = () => {},
  ): Promise<AcceptedTransport> => {
    current = accepted({ lossless: true, acknowledge: 'manual', onGap, ...(received ? { received } : {}) });
    const connected = untilState(current, 'connected');
    server.cut();
    await connected;
    return current;
  };
  return { server, near, answers: near.receive(), restart };
}

/** All that `from` has said before has been heard when this settles. */
async function roundTrip(from: AcceptedTransport, answers: AsyncIterator<unknown>): Promise<void> {
  await nextTurn();
  await nextTurn();
  await from.send('"after it"');
  await answers.next();
}

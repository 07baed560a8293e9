import { describe, expect, it } from 'vitest';
import { readLines, sendAll, untilState, untilStill } from '../conversation.ts';
import { numberedLine } from '../sample-lines.ts';
import { accepted, client, comeBack, dialAccepted, startServer } from '../websocket/scene.ts';
import { RawLink } from './raw-link.ts';

const KILOBYTE = 1024;

describe('flow on a lossless link', () => {
  it('[LK8] a receiver whose consumer is behind says hold, and go when there is room again', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const peer = await RawLink.greet(url, 'peer');
    const lines = Array.from({ length: 40 }, (_, n) => numberedLine(n, 32 * KILOBYTE));
    peer.lines(1, ...lines);
    await peer.frame('hold');
    expect(peer.heard).not.toContainEqual({ link: 'go' });
    expect(await readLines(far.receive(), lines.length)).toEqual(lines);
    await peer.frame('go');
  });

  it('[LK8] on a new connection it says so again', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const peer = await RawLink.greet(url, 'peer');
    peer.lines(1, ...Array.from({ length: 40 }, (_, n) => numberedLine(n, 32 * KILOBYTE)));
    await peer.frame('hold');
    await peer.leave();
    const again = await RawLink.dial(url);
    await again.frame('hold');
  });

  it('[LK8] a sender that is held sends no more lines until it may go on', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const peer = await RawLink.greet(url, 'peer');
    await peer.frame('start');
    peer.say({ link: 'hold' });
    await peer.settled();
    await sendAll(far, ['1', '2']);
    await peer.settled();
    expect(peer.heard.filter((heard) => typeof heard === 'string')).toEqual([]);
    peer.say({ link: 'go' });
    expect(await peer.untilLines(2)).toEqual(['1', '2']);
  });

  it('[LK8] it is held on that connection only', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const held = await RawLink.greet(url, 'peer');
    held.say({ link: 'hold' });
    await held.settled();
    await held.leave();
    await far.send('1');
    const next = await RawLink.greet(url, 'peer');
    expect(await next.untilLines(1)).toEqual(['1']);
  });

  it('[LK8] acknowledgements pass a reader that is behind: two ends that answer cannot block each other', async () => {
    const outbox = { memoryBytes: 512 * KILOBYTE };
    const { near, far } = await dialAccepted({ lossless: true, outbox }, { lossless: true });
    const questions = 400;
    const answering = (async () => {
      let answered = 0;
      for await (const question of near.receive()) {
        await near.send(numberedLine(JSON.parse(question.text()).n, 64 * KILOBYTE));
        answered += 1;
        if (answered === questions) return;
      }
    })();
    const asking = sendAll(
      far,
      Array.from({ length: questions }, (_, n) => numberedLine(n, 8 * KILOBYTE)),
    );
    const answers = await readLines(far.receive(), questions);
    expect(answers.map((answer) => JSON.parse(answer).n)).toEqual(answers.map((_, n) => n));
    await Promise.all([answering, asking]);
  });

  it('[LK11] a full outbox makes the writer wait, through an outage, until lines are acknowledged', async () => {
    const far = accepted({ lossless: true, acknowledge: 'manual' });
    const server = await startServer(far);
    const near = client(server.url, { lossless: true, outbox: { memoryBytes: 64 * KILOBYTE } });
    await near.connect();
    const lines = Array.from({ length: 100 }, (_, n) => numberedLine(n, 4 * KILOBYTE));
    let taken = 0;
    const writing = (async () => {
      for (const line of lines) {
        await near.send(line);
        taken += 1;
      }
    })();
    const received = far.receive();
    const first = await readLines(received, 16);
    await untilStill(() => taken);
    expect(taken).toBeLessThan(20);
    await comeBack(server, near);
    await untilState(far, 'connected');
    expect(taken).toBeLessThan(20);
    if (far.position) far.acknowledge(far.position);
    const rest: string[] = [];
    while (first.length + rest.length < lines.length) {
      rest.push(...(await readLines(received, 1)));
      if (far.position) far.acknowledge(far.position);
    }
    await writing;
    expect([...first, ...rest]).toEqual(lines);
  });

  it('[LK16] a line may begin with what looks like a byte order mark', async () => {
    const { near, far } = await dialAccepted({ lossless: true }, { lossless: true });
    const lines = ['\ufeff', '\ufeff1', '2', '\ufeff3'];
    const received = far.receive();
    for (const line of lines) {
      await near.send(line);
      expect(await readLines(received, 1)).toEqual([line]);
    }
    expect(far.position?.count).toBe(4);
  });
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readLines, readToEnd, rejectionOf, sendAll, untilState } from '../conversation.ts';
import { accepted, client, dialAccepted, startServer } from '../websocket/scene.ts';
import { RawLink } from './raw-link.ts';

const FOR_EVER = 3_600_000;

describe('acknowledgements', () => {
  it('[LK2] only an acknowledgement lets the sender forget a line: a hello does not', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    await sendAll(far, ['1', '2', '3', '4', '5']);

    const first = await RawLink.greet(url, 'peer');
    const { epoch } = await first.frame('hello');
    expect(await first.untilLines(5)).toEqual(['1', '2', '3', '4', '5']);
    await first.leave();

    const knowing = await RawLink.greet(url, 'peer', { epoch, count: 5 });
    expect(await knowing.frame('start')).toEqual({ link: 'start', number: 6 });
    await knowing.leave();

    const forgetful = await RawLink.greet(url, 'peer');
    expect(await forgetful.frame('start')).toEqual({ link: 'start', number: 1 });
    expect(await forgetful.untilLines(5)).toEqual(['1', '2', '3', '4', '5']);
    forgetful.say({ link: 'ack', count: 3 });
    await forgetful.settled();
    await forgetful.leave();

    const last = await RawLink.greet(url, 'peer');
    expect(await last.frame('start')).toEqual({ link: 'start', number: 4 });
    expect(await last.untilLines(2)).toEqual(['4', '5']);
  });

  it('[LK2] an acknowledgement of lines that were not sent yet lets it forget none of them', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const first = await RawLink.greet(url, 'peer');
    await first.frame('start');
    first.say({ link: 'hold' });
    await first.settled();
    await sendAll(far, ['1', '2']);
    first.say({ link: 'ack', count: 1000 });
    first.say({ link: 'go' });
    expect(await first.untilLines(2)).toEqual(['1', '2']);
    await first.leave();
    const second = await RawLink.greet(url, 'peer');
    expect(await second.frame('start')).toEqual({ link: 'start', number: 1 });
  });

  it('[LK6] a line counts as read when its consumer comes back for the next one', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const peer = await RawLink.greet(url, 'peer');
    peer.lines(1, 'a', 'b', 'c');
    const lines = far.receive();
    await readLines(lines, 2);
    expect(await peer.frame('ack')).toEqual({ link: 'ack', count: 1 });
    expect(far.position).toEqual({ epoch: 'peer', count: 2 });
    await peer.settled();
    expect(peer.heard.filter((heard) => typeof heard !== 'string' && heard.link === 'ack')).toHaveLength(1);
  });

  it('[LK6] with manual acknowledgement it counts when it is acknowledged, and only once it has arrived', async () => {
    const far = accepted({ lossless: true, acknowledge: 'manual' });
    const { url } = await startServer(far);
    const peer = await RawLink.greet(url, 'peer');
    peer.lines(1, 'a', 'b', 'c');
    await readLines(far.receive(), 3);
    await peer.settled();
    expect(peer.heard).not.toContainEqual(expect.objectContaining({ link: 'ack' }));
    far.acknowledge({ epoch: 'peer', count: 99 });
    expect(await peer.frame('ack')).toEqual({ link: 'ack', count: 3 });
  });

  it('[LK19] a busy link says together what it has got, and one who leaves is not kept waiting', async () => {
    const far = accepted({ lossless: true, acknowledge: 'manual' });
    const { url } = await startServer(far);
    const peer = await RawLink.greet(url, 'peer');
    const count = 1000;
    peer.lines(1, ...Array.from({ length: count }, (_, index) => String(index)));
    await readLines(far.receive(), count);
    const acks = () =>
      peer.heard.flatMap((heard) => (typeof heard !== 'string' && heard.link === 'ack' ? [heard.count] : []));
    for (let got = 1; got < count; got += 1) {
      far.acknowledge({ epoch: 'peer', count: got });
      await nextTurn();
    }
    await expect.poll(() => acks().at(-1)).toBe(count - 1);
    expect(acks().length).toBeLessThan(count / 2);
    peer.say({ link: 'bye' });
    await peer.settled();
    far.acknowledge({ epoch: 'peer', count });
    await expect.poll(() => acks().at(-1)).toBe(count);
  });

  it('[LK6] what was acknowledged is said again on the next connection', async () => {
    const far = accepted({ lossless: true, acknowledge: 'manual' });
    const { url } = await startServer(far);
    const peer = await RawLink.greet(url, 'peer');
    peer.lines(1, 'a', 'b');
    await readLines(far.receive(), 2);
    await peer.leave();
    await untilState(far, 'reconnecting');
    far.acknowledge({ epoch: 'peer', count: 2 });
    const again = await RawLink.greet(url, 'peer');
    expect(await again.frame('ack')).toEqual({ link: 'ack', count: 2 });
  });

  it('[LK17] what an earlier sender may forget is not said to a later one', async () => {
    const far = accepted({ lossless: true, acknowledge: 'manual' });
    const { url } = await startServer(far);
    const earlier = await RawLink.greet(url, 'earlier');
    earlier.lines(1, 'a', 'b', 'c');
    const lines = far.receive();
    await readLines(lines, 3);
    await earlier.leave();
    await untilState(far, 'reconnecting');
    far.onStateChange((state) => {
      if (state === 'connected') far.acknowledge({ epoch: 'earlier', count: 3 });
    });
    const later = await RawLink.dial(url);
    await later.settled();
    later.say({ link: 'hello', epoch: 'later', received: null });
    later.lines(1, 'x', 'y', 'z');
    await readLines(lines, 3);
    far.acknowledge({ epoch: 'earlier', count: 3 });
    await later.settled();
    expect(later.heard).not.toContainEqual(expect.objectContaining({ link: 'ack' }));
    far.acknowledge({ epoch: 'later', count: 1 });
    expect(await later.frame('ack')).toEqual({ link: 'ack', count: 1 });
  });

  it('[LK7] close() waits until everything is acknowledged', async () => {
    const { near, far } = await dialAccepted(
      { lossless: true, closeTimeoutMs: FOR_EVER },
      { lossless: true, acknowledge: 'manual' },
    );
    await sendAll(near, ['1', '2', '3']);
    const lines = far.receive();
    await readLines(lines, 3);
    let isClosed = false;
    const closing = near.close().then(() => {
      isClosed = true;
    });
    const answers = near.receive();
    for (const count of [0, 1, 2]) {
      far.acknowledge({ epoch: far.position?.epoch ?? '', count });
      // Acknowledgements are said in the next turn; what comes after them is heard after them.
      await nextTurn();
      await nextTurn();
      await far.send('"after it"');
      await answers.next();
      expect(isClosed).toBe(false);
    }
    far.acknowledge({ epoch: far.position?.epoch ?? '', count: 3 });
    await closing;
    expect((await lines.next()).done).toBe(true);
  });

  it('[LK7] when the time is up it tells how many lines were not, and the peer does not take it for the end', async () => {
    const { near, far } = await dialAccepted(
      { lossless: true, closeTimeoutMs: 50 },
      { lossless: true, acknowledge: 'manual' },
    );
    await sendAll(near, ['1', '2', '3']);
    const lines = far.receive();
    await readLines(lines, 1);
    if (far.position) far.acknowledge(far.position);
    expect(await rejectionOf(near.close())).toMatchObject({ code: 'LINES_UNDELIVERED', count: 2 });
    expect(await readToEnd(near)).toEqual([]);
    expect(await readLines(lines, 2)).toEqual(['2', '3']);
    expect(await rejectionOf(lines.next())).toMatchObject({ code: 'TRANSPORT_FAILED' });
  });

  it('[LK7] a peer that leaves first is not waited for', async () => {
    const far = accepted({ lossless: true, closeTimeoutMs: FOR_EVER });
    const { url } = await startServer(far);
    await sendAll(far, ['1', '2']);
    const peer = await RawLink.greet(url, 'peer');
    await peer.untilLines(2);
    const closing = rejectionOf(far.close());
    await peer.frame('bye');
    peer.socket.close(1000);
    expect(await closing).toMatchObject({ code: 'LINES_UNDELIVERED', count: 2 });
  });

  it('[LK7] close() does not wait for a reader that will come to the lines later', async () => {
    const { near, far } = await dialAccepted(
      { lossless: true, closeTimeoutMs: FOR_EVER },
      { lossless: true },
    );
    await sendAll(near, ['1', '2', '3']);
    await near.close();
    expect(await readToEnd(far)).toEqual(['1', '2', '3']);
  });

  it('[LK7] a receiver that closes first has taken what had arrived', async () => {
    const { near, far } = await dialAccepted({ lossless: true }, { lossless: true });
    await sendAll(near, ['1', '2']);
    const lines = far.receive();
    await readLines(lines, 1);
    await Promise.all([far.close(), near.close()]);
    expect(await readLines(lines, 2)).toEqual(['2']);
  });

  it('[LK7] only while its peer is leaving does a receiver answer for what was not read', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const leaving = await RawLink.greet(url, 'leaving');
    leaving.lines(1, 'a');
    leaving.say({ link: 'bye' });
    await leaving.untilAck(1);
    await leaving.leave();
    const staying = await RawLink.greet(url, 'staying');
    staying.lines(1, 'b');
    await staying.settled();
    await staying.settled();
    expect(staying.heard).not.toContainEqual(expect.objectContaining({ link: 'ack' }));
  });

  it('[LK7] lines are delivered by a connection that opens while it closes', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const near = client(url, { lossless: true, closeTimeoutMs: FOR_EVER });
    const connecting = near.connect();
    await sendAll(near, ['1', '2']);
    const closing = near.close();
    await connecting;
    await closing;
    expect(await readToEnd(far)).toEqual(['1', '2']);
  });

  it('[LK18] whoever stops reading has had enough: the sender may forget the rest', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const peer = await RawLink.greet(url, 'peer');
    peer.lines(1, 'a', 'b', 'c');
    for await (const line of far.receive()) {
      expect(line.text()).toBe('a');
      break;
    }
    await peer.untilAck(3);
    peer.socket.send('d\n');
    await peer.untilAck(4);
  });
});

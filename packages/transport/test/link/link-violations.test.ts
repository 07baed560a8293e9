import { describe, expect, it } from 'vitest';
import { decodeLinkFrame, encodeLinkFrame, type LinkFrame } from '../../src/link/link-frame.ts';
import { readLines, readToEnd, rejectionOf, untilState } from '../conversation.ts';
import { accepted, startServer } from '../websocket/scene.ts';
import { RawLink } from './raw-link.ts';

const VIOLATION = { code: 'TRANSPORT_FAILED', cause: expect.objectContaining({ code: 'LINK_PROTOCOL' }) };

const FRAMES: LinkFrame[] = [
  { link: 'hello', epoch: 'e', received: null },
  { link: 'hello', epoch: 'e', received: { epoch: 'f', count: 0 } },
  { link: 'start', number: 1 },
  { link: 'ack', count: 0 },
  { link: 'hold' },
  { link: 'go' },
  { link: 'bye' },
];

const NO_FRAMES = [
  '',
  'x',
  '[]',
  'null',
  '1',
  '{}',
  '{"link":"nonsense"}',
  '{"link":"hello"}',
  '{"link":"hello","epoch":1,"received":null}',
  '{"link":"hello","epoch":"e"}',
  '{"link":"hello","epoch":"e","received":{}}',
  '{"link":"hello","epoch":"e","received":{"epoch":"f","count":-1}}',
  '{"link":"start"}',
  '{"link":"start","number":0}',
  '{"link":"start","number":1.5}',
  '{"link":"ack","count":"1"}',
  '{"link":"ack","count":9007199254740993}',
];

describe('link frames', () => {
  it.each(FRAMES)('[LK9] %j is read as it was written', (frame) => {
    expect(decodeLinkFrame(encodeLinkFrame(frame))).toEqual(frame);
  });

  it.each(NO_FRAMES)('[LK9] %s is none', (text) => {
    expect(() => decodeLinkFrame(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'LINK_PROTOCOL' }),
    );
  });

  it('[LK9] one that is longer than any of ours is none', () => {
    const frame: LinkFrame = { link: 'hello', epoch: 'e'.repeat(2000), received: null };
    expect(() => decodeLinkFrame(encodeLinkFrame(frame))).toThrow('unknown binary frame');
  });
});

describe('a peer that breaks the rules of a lossless link', () => {
  it.each<[string, (peer: RawLink) => void]>([
    ['sends a binary frame that is not ours', (peer) => peer.socket.send(Buffer.from([1, 2, 3]))],
    ['sends a line before anything else', (peer) => peer.socket.send('1\n')],
    ['sends a line before its number', (peer) => greetThen(peer, () => peer.socket.send('1\n'))],
    ['sends a number before its hello', (peer) => peer.say({ link: 'start', number: 1 })],
    ['says hello twice', (peer) => greetThen(peer, () => greetThen(peer, () => {}))],
    ['numbers twice', (peer) => greetThen(peer, () => peer.lines(1, 'a').say({ link: 'start', number: 9 }))],
    ['sends a line without its end', (peer) => greetThen(peer, () => peer.lines(1, 'a').socket.send('b'))],
  ])('[LK9] %s: it is told so, and nothing else happens', async (_name, misbehave) => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const peer = await RawLink.dial(url);
    misbehave(peer);
    const lines = far.receive();
    expect(await rejectionOf(consume(lines))).toMatchObject(VIOLATION);
    expect(await peer.closed).toEqual({ code: 1002, reason: 'LINK_PROTOCOL' });
    expect(far.state).toBe('closed');
  });

  it('[LK9] what it numbered on an earlier connection does not number its lines on this one', async () => {
    const far = accepted({ lossless: true });
    const { url } = await startServer(far);
    const earlier = await RawLink.greet(url, 'peer');
    earlier.lines(1, 'a');
    const lines = far.receive();
    expect(await readLines(lines, 1)).toEqual(['a']);
    await earlier.leave();
    await untilState(far, 'reconnecting');
    const later = await RawLink.dial(url);
    later.socket.send('b\n');
    expect(await rejectionOf(lines.next())).toMatchObject(VIOLATION);
  });

  it('[LK9] on a plain link a frame is never taken for one of the link', async () => {
    const far = accepted();
    const { url } = await startServer(far);
    const peer = await RawLink.dial(url);
    peer.say({ link: 'ack', count: 7 });
    peer.socket.close(1000);
    expect(await readToEnd(far)).toEqual(['{"link":"ack","count":7}']);
  });
});

function greetThen(peer: RawLink, misbehave: () => void): void {
  peer.say({ link: 'hello', epoch: 'peer', received: null });
  misbehave();
}

async function consume(lines: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of lines);
}

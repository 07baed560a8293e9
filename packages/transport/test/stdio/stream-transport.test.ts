import { PassThrough, Writable } from 'node:stream';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { SEND_HIGH_WATER_BYTES, StreamTransport } from '../../src/stdio/stream-transport.ts';
import { readLines, readToEnd, rejectionOf, untilState } from '../conversation.ts';
import { chanceLine } from '../sample-lines.ts';

describe('stream transport', () => {
  it.each([1, 2, 3, 4, 5])('[TR34] bytes may be cut anywhere on their way (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const lines = Array.from({ length: 100 }, () => chanceLine(random));
    const bytes = Buffer.from(lines.map((line) => line + (random.chance(20) ? '\r\n' : '\n')).join(''));
    const input = new PassThrough({ highWaterMark: 16 });
    const reading = readToEnd(new StreamTransport(input, new PassThrough()));
    for (let at = 0; at < bytes.length; ) {
      const end = at + (random.chance(50) ? 1 + random.below(10) : random.below(50_000));
      input.write(bytes.subarray(at, end));
      at = end;
    }
    input.end();
    const received = await reading;
    expect(received.findIndex((line, n) => line !== lines[n])).toBe(-1);
    expect(received).toHaveLength(lines.length);
  });

  it('[TR33] a half-open transport is closed once both directions are over, in any order', async () => {
    const over = {
      input: (input: PassThrough) => input.end(),
      output: (_input: PassThrough, output: PassThrough) => output.destroy(new Error('EPIPE')),
      sending: (_input: PassThrough, _output: PassThrough, transport: StreamTransport) =>
        transport.endInput(),
    };
    for (const order of [
      ['input', 'output'],
      ['output', 'input'],
      ['input', 'sending'],
      ['sending', 'input'],
    ] as const) {
      const [input, output] = [new PassThrough(), new PassThrough().resume()];
      const transport = new StreamTransport(input, output, { allowHalfOpen: true });
      void over[order[0]](input, output, transport);
      await new Promise(setImmediate);
      expect(transport.state).toBe('connected');
      void over[order[1]](input, output, transport);
      await untilState(transport, 'closed');
    }
  });

  it('[TR35] our own close() hands over no half line', async () => {
    const input = new PassThrough();
    const transport = new StreamTransport(input, new PassThrough().resume());
    input.write('1\n{"ha');
    const lines = transport.receive();
    expect(await readLines(lines, 1)).toEqual(['1']);
    await transport.close();
    expect(await readLines(lines, 1)).toEqual([]);
  });

  it('[TR35] a failure to read fails the transport with its cause', async () => {
    const input = new PassThrough();
    const transport = new StreamTransport(input, new PassThrough());
    const waiting = transport.send('x'.repeat(2 * SEND_HIGH_WATER_BYTES));
    const cause = new Error('the disk is on fire');
    input.destroy(cause);
    expect(await rejectionOf(readToEnd(transport))).toMatchObject({ code: 'TRANSPORT_FAILED', cause });
    expect(await rejectionOf(waiting)).toMatchObject({ code: 'TRANSPORT_FAILED', cause });
    expect(transport.state).toBe('closed');
    await transport.close();
  });

  it('[TR9] a send() that waits when we close is refused only if its line did not get out', async () => {
    const [slow, stuck] = [new PassThrough(), new PassThrough()];
    const leaving = new StreamTransport(new PassThrough(), slow);
    const staying = new StreamTransport(new PassThrough(), stuck);
    const delivered = leaving.send('x'.repeat(2 * SEND_HIGH_WATER_BYTES));
    const lost = staying.send('x'.repeat(2 * SEND_HIGH_WATER_BYTES));
    const closing = [leaving.close(), staying.close()];
    slow.resume();
    stuck.destroy();
    await Promise.all(closing);
    await delivered;
    expect(await rejectionOf(lost)).toMatchObject({ code: 'TRANSPORT_CLOSED' });
  });

  it('[TR36] lines sent in one turn of the event loop leave in one write', async () => {
    const writes: string[] = [];
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        writes.push(chunk.toString());
        done();
      },
    });
    const transport = new StreamTransport(new PassThrough(), output);
    for (const line of ['1', '2', Buffer.from('3')]) void transport.send(line);
    await new Promise(setImmediate);
    await transport.send('4');
    await transport.close();
    expect(writes).toEqual(['1\n2\n3\n', '4\n']);
  });

  it('[TR36] what was sent without waiting is written before it grows past the limit', async () => {
    let heaviest = 0;
    const output = new Writable({
      highWaterMark: 1024 * 1024 * 1024,
      write: (chunk: Buffer, _encoding, done) => {
        heaviest = Math.max(heaviest, chunk.length);
        done();
      },
    });
    const transport = new StreamTransport(new PassThrough(), output);
    for (let n = 0; n < 1000; n += 1) void transport.send('x'.repeat(10_000));
    await transport.close();
    expect(heaviest).toBeLessThan(SEND_HIGH_WATER_BYTES + 20_000);
  });
});

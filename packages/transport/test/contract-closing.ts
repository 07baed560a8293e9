import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { TransportState } from '../src/transport.ts';
import type { DirectedScene } from './contract.ts';
import { readToEnd, rejectionOf, sendAll, startWriting, untilState, untilStill } from './conversation.ts';
import { linesBeyond, numberedLine } from './sample-lines.ts';

const LINE_BYTES = 32 * 1024;
const CLOSED = { code: 'TRANSPORT_CLOSED' };

/** What happens when an end closes: TR7 to TR11 of the contract. */
export function describeClosing({ contract, near, far, nearSide, maxBytesUnderWay }: DirectedScene): void {
  it('[TR7] close() delivers what was taken, then ends receive() on both sides', async () => {
    const lines = Array.from({ length: 500 }, (_, n) => numberedLine(n, 100));
    await sendAll(near(), lines);
    const [atFar, atNear] = await Promise.all([readToEnd(far()), readToEnd(near()), near().close()]);
    expect(atFar).toEqual(lines);
    expect(atNear).toEqual([]);
  });

  it('[TR7] what arrived can still be read after both sides closed', async () => {
    // A half-open side does not know how much of what was sent has arrived before it reads.
    const [reader, writer] = contract.halfOpen === nearSide ? [far(), near()] : [near(), far()];
    await sendAll(writer, ['1', '2', '3']);
    const closing = writer.close();
    await untilState(reader, 'closed');
    await reader.close();
    expect(await readToEnd(reader)).toEqual(['1', '2', '3']);
    await closing;
  });

  it('[TR8] close() again waits for the same end, and send() is refused from the first call on', async () => {
    const reading = readToEnd(far());
    const closing = near().close();
    const refusal = await rejectionOf(near().send('1'));
    await near().close();
    expect(near().state).toBe('closed');
    expect(refusal).toMatchObject(CLOSED);
    expect(await rejectionOf(near().send('1'))).toMatchObject(CLOSED);
    expect(await reading).toEqual([]);
    await closing;
  });

  it('[TR8] when the other side closes, send() is refused too, on a half-open side once it closes', async () => {
    const closing = far().close();
    expect(await readToEnd(near())).toEqual([]);
    if (contract.halfOpen === nearSide) await near().close();
    await untilState(near(), 'closed');
    expect(await rejectionOf(near().send('1'))).toMatchObject(CLOSED);
    await closing;
  });

  it('[TR9] close() lets go of a writer that waits for room, and loses nothing that was taken', async () => {
    const writer = startWriting(near(), linesBeyond(maxBytesUnderWay, LINE_BYTES));
    await untilStill(writer.taken);
    const [received] = await Promise.all([readToEnd(far()), near().close()]);
    expect(await rejectionOf(writer.done)).toMatchObject(CLOSED);
    expect(received.length).toBeGreaterThanOrEqual(writer.taken());
    expect(received.findIndex((line, n) => line !== numberedLine(n, LINE_BYTES))).toBe(-1);
  });

  it('[TR9] a writer that waits for room is let go when the other side closes', async () => {
    const writer = startWriting(near(), linesBeyond(maxBytesUnderWay, LINE_BYTES));
    await untilStill(writer.taken);
    await Promise.all([readToEnd(near()), far().close()]);
    expect(await rejectionOf(writer.done)).toMatchObject(CLOSED);
  });

  it('[TR10] states are reported in order, closed is final, and a listener can leave', async () => {
    const heard: TransportState[] = [];
    const unheard: TransportState[] = [];
    near().onStateChange((state) => heard.push(state));
    near().onStateChange((state) => unheard.push(state))();
    expect(near().state).toBe('connected');
    await Promise.all([readToEnd(far()), near().close()]);
    await near().close();
    expect(heard).toEqual(['closing', 'closed']);
    expect(unheard).toEqual([]);
    expect(near().state).toBe('closed');
  });

  it('[TR11] a send() that nobody awaits is never an unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      for (let n = 0; n < 100; n += 1) void near().send(numberedLine(n, LINE_BYTES));
      void near().send('');
      await Promise.all([readToEnd(far()), near().close()]);
      void near().send('1');
      await nextTurn();
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });
}

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutboxOptions, OutboxSpillError } from '../../src/link/outbox.ts';
import { readLines, readToEnd, rejectionOf, sendAll, untilState, untilStill } from '../conversation.ts';
import { numberedLine } from '../sample-lines.ts';
import { accepted, client, startServer } from '../websocket/scene.ts';
import { temporaryFolder } from './temporary-folder.ts';

const LINES = Array.from({ length: 3000 }, (_, n) => numberedLine(n, n % 500));

describe('a lossless link through a long outage', () => {
  it('[LK12] keeps lines on disk, delivers them in order, and leaves no file behind', async () => {
    const directory = temporaryFolder();
    const { near, far, repair } = await outage({ memoryBytes: 64 * 1024, spill: { directory } });
    await sendAll(near, LINES);
    expect(readdirSync(directory).length).toBeGreaterThan(10);
    repair();
    const received = far.receive();
    expect(await readLines(received, LINES.length)).toEqual(LINES);
    await Promise.all([readLines(received, 1), near.send('1')]);
    const closing = near.close();
    expect((await received.next()).done).toBe(true);
    await closing;
    expect(readdirSync(directory)).toEqual([]);
  });

  it('[LK12] lines that could not be delivered leave no file behind either', async () => {
    const directory = temporaryFolder();
    const { near } = await outage({ memoryBytes: 1024, spill: { directory } });
    await sendAll(near, LINES);
    expect(await rejectionOf(near.close())).toMatchObject({ code: 'LINES_UNDELIVERED', count: LINES.length });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('[LK13] when the disk refuses, the writer waits, and nothing is lost', async () => {
    const directory = join(temporaryFolder(), 'a-file');
    writeFileSync(directory, '');
    const errors: OutboxSpillError[] = [];
    const { near, far, repair } = await outage({
      memoryBytes: 64 * 1024,
      spill: { directory, onError: (error) => errors.push(error) },
    });
    let taken = 0;
    const writing = (async () => {
      for (const line of LINES) {
        await near.send(line);
        taken += 1;
      }
    })();
    await untilStill(() => taken);
    expect(taken).toBeLessThan(1000);
    expect(errors.map(({ code }) => code)).toContain('OUTBOX_SPILL_FAILED');
    repair();
    expect(await readLines(far.receive(), LINES.length)).toEqual(LINES);
    await writing;
  });

  it('[LK14] when its files are gone, it ends with the reason instead of skipping lines', async () => {
    const directory = temporaryFolder();
    const { near, far, repair } = await outage({ memoryBytes: 64 * 1024, spill: { directory } });
    await sendAll(near, LINES);
    for (const name of readdirSync(directory)) rmSync(join(directory, name));
    repair();
    const [failure, received] = await Promise.all([rejectionOf(readToEnd(near)), collect(far.receive())]);
    expect(failure).toMatchObject({ code: 'OUTBOX_READ_FAILED' });
    expect(received.error).toMatchObject({ code: 'TRANSPORT_FAILED' });
    expect(received.lines).toEqual(LINES.slice(0, received.lines.length));
    expect(await rejectionOf(near.send('1'))).toMatchObject({ code: 'TRANSPORT_CLOSED' });
  });
});

/** A client that has lost its connection, and a server that takes it back once it is repaired. */
async function outage(outbox: OutboxOptions) {
  let isRepaired = true;
  const far = accepted({ lossless: true });
  const server = await startServer(far, { isUp: () => isRepaired });
  const near = client(server.url, { lossless: true, outbox });
  await near.connect();
  await untilState(far, 'connected');
  isRepaired = false;
  const lost = untilState(near, 'reconnecting');
  server.cut();
  await lost;
  const repair = (): void => {
    isRepaired = true;
  };
  return { near, far, repair };
}

async function collect(
  lines: AsyncIterable<{ text(): string }>,
): Promise<{ lines: string[]; error: unknown }> {
  const texts: string[] = [];
  try {
    for await (const line of lines) texts.push(line.text());
    return { lines: texts, error: undefined };
  } catch (error) {
    return { lines: texts, error };
  }
}

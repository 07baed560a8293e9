import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Outbox, type OutboxSpillError } from '../../src/link/outbox.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Room for four lines like these in memory; a segment is one line. */
const MEMORY = 400;
const line = (n: number): string => `${n}`.padEnd(99, '.');
const EVERYTHING = Number.POSITIVE_INFINITY;

describe('outbox', () => {
  it('[LK11] numbers lines from 1, and keeps them until they are released', () => {
    const outbox = new Outbox();
    expect([outbox.first, outbox.last]).toEqual([1, 0]);
    expect([outbox.append('a'), outbox.append('b'), outbox.append('c')]).toEqual([1, 2, 3]);
    expect(outbox.read(1, EVERYTHING)).toEqual(['a', 'b', 'c']);
    outbox.release(2);
    expect([outbox.first, outbox.last]).toEqual([3, 3]);
    expect(outbox.read(3, EVERYTHING)).toEqual(['c']);
    outbox.release(99);
    expect([outbox.first, outbox.last, outbox.weight]).toEqual([4, 3, 0]);
    expect(outbox.append('d')).toBe(4);
  });

  it('[LK11] is full past its memory limit, and no longer once lines were released', () => {
    const outbox = new Outbox({ memoryBytes: MEMORY });
    for (let n = 1; n <= 4; n += 1) outbox.append(line(n));
    expect(outbox.isFull).toBe(false);
    outbox.append(line(5));
    expect(outbox.isFull).toBe(true);
    outbox.release(1);
    expect(outbox.isFull).toBe(false);
  });

  it('[LK11] reads no more than was asked for, and at least one line', () => {
    const outbox = new Outbox();
    for (const text of ['aaaa', 'bb', 'cccccccc']) outbox.append(text);
    expect(outbox.read(1, 0)).toEqual(['aaaa']);
    expect(outbox.read(1, 8)).toEqual(['aaaa', 'bb']);
    expect(outbox.read(2, 8)).toEqual(['bb']);
    expect(outbox.read(3, 1)).toEqual(['cccccccc']);
    expect(outbox.read(4, 8)).toEqual([]);
  });

  it('[LK12] past its memory limit lines go to files that only their owner may read', () => {
    const directory = join(temporaryFolder(), 'made', 'for', 'it');
    const outbox = new Outbox({ memoryBytes: MEMORY, spill: { directory } });
    for (let n = 1; n <= 10; n += 1) outbox.append(line(n));
    const files = readdirSync(directory).map((name) => statSync(join(directory, name)));
    expect(files).toHaveLength(6);
    expect(files.map(({ mode }) => mode & 0o777)).toEqual(files.map(() => 0o600));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(outbox.isFull).toBe(false);
  });

  it('[LK12] they are read back as they were written, in order', () => {
    const outbox = new Outbox({ memoryBytes: 10, spill: { directory: temporaryFolder() } });
    const lines = ['\ufeff1', ' "Grüße, 漢字 🚦" ', '{"a":\r1}', 'x'.repeat(1000)];
    for (let n = 0; n < 100; n += 1) outbox.append(lines[n % 4] ?? '');
    for (let n = 1; n <= 100; n += 1) expect(String(outbox.read(n, 0)[0])).toBe(lines[(n - 1) % 4]);
  });

  it('[LK12] bytes that are no UTF-8 survive the disk', () => {
    const outbox = new Outbox({ memoryBytes: 1, spill: { directory: temporaryFolder() } });
    const bytes = Uint8Array.of(0x22, 0xff, 0xc3, 0x22);
    outbox.append(bytes);
    outbox.append(bytes);
    expect(Buffer.from(outbox.read(2, 0)[0] ?? '')).toEqual(Buffer.from(bytes));
  });

  it('[LK12] a file is removed when its lines are released, and all when it is closed', () => {
    const directory = temporaryFolder();
    const outbox = new Outbox({ memoryBytes: MEMORY, spill: { directory } });
    for (let n = 1; n <= 10; n += 1) outbox.append(line(n));
    outbox.release(7);
    expect(readdirSync(directory)).toHaveLength(3);
    outbox.close();
    expect(readdirSync(directory)).toEqual([]);
    expect(outbox.last).toBe(10);
  });

  it('[LK12] past its disk limit it is full', () => {
    const directory = temporaryFolder();
    const outbox = new Outbox({ memoryBytes: MEMORY, spill: { directory, maxBytes: 300 } });
    let taken = 0;
    while (!outbox.isFull) taken = outbox.append(line(taken));
    expect(taken).toBe(8);
    outbox.release(4);
    expect(outbox.isFull).toBe(false);
    expect(outbox.read(5, 0).map(String)).toEqual([line(4)]);
  });

  it('[LK12] the disk limit is of bytes, whatever the text', () => {
    const directory = temporaryFolder();
    const outbox = new Outbox({ memoryBytes: 200, spill: { directory, maxBytes: 3000 } });
    while (!outbox.isFull) outbox.append('漢'.repeat(50));
    const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3200);
  });

  it('[LK13] when the disk refuses, that is reported, lines stay in memory, and it is full', () => {
    const directory = join(temporaryFolder(), 'a-file');
    writeFileSync(directory, '');
    const errors: OutboxSpillError[] = [];
    const outbox = new Outbox({
      memoryBytes: MEMORY,
      spill: { directory, onError: (error) => errors.push(error) },
    });
    for (let n = 1; !outbox.isFull; n += 1) outbox.append(line(n));
    expect(errors[0]).toMatchObject({ code: 'OUTBOX_SPILL_FAILED', cause: expect.any(Error) });
    expect(errors[0]?.message).toContain(directory);
    const kept = Array.from({ length: outbox.last }, (_, n) => String(outbox.read(n + 1, 0)[0]));
    expect(kept).toEqual(kept.map((_, n) => line(n + 1)));
    rmSync(directory);
    mkdirSync(directory);
    outbox.release(outbox.last);
    for (let n = 1; n <= 10; n += 1) outbox.append(line(n));
    expect(readdirSync(directory)).not.toEqual([]);
  });

  it.each(['removed', 'cut', 'grown'])(
    '[LK14] a file that was %s by others is an error, never other lines',
    (how) => {
      const directory = temporaryFolder();
      const outbox = new Outbox({ memoryBytes: MEMORY, spill: { directory } });
      for (let n = 1; n <= 10; n += 1) outbox.append(line(n));
      for (const name of readdirSync(directory)) {
        const file = join(directory, name);
        if (how === 'removed') rmSync(file);
        else if (how === 'cut') truncateSync(file, 50);
        else writeFileSync(file, `${readFileSync(file, 'utf8')}more\n`);
      }
      expect(String(outbox.read(4, 0)[0])).toBe(line(4));
      expect(() => outbox.read(7, 0)).toThrow(expect.objectContaining({ code: 'OUTBOX_READ_FAILED' }));
    },
  );

  it('[LK14] a file that cannot be removed stops nothing', () => {
    const directory = temporaryFolder();
    const outbox = new Outbox({ memoryBytes: MEMORY, spill: { directory } });
    for (let n = 1; n <= 10; n += 1) outbox.append(line(n));
    for (const name of readdirSync(directory)) {
      rmSync(join(directory, name));
      mkdirSync(join(directory, name));
    }
    outbox.release(10);
    expect(outbox.weight).toBe(0);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { BridgeFolder, inFolder } from '../../src/bridge/bridge-folder.ts';
import { BridgeLog, LOG_BYTES } from '../../src/bridge/bridge-log.ts';
import { ownerOf } from '../../src/bridge/folder-lock.ts';
import { JOURNAL_FILE_BYTES, Journal } from '../../src/bridge/journal.ts';
import { leftRuns, nextRunDirectory } from '../../src/bridge/left-run.ts';
import { temporaryFolder } from './run-bridge.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('the folder of a bridge', () => {
  it('[BR26] is taken over from a process that is gone, also when its id was given to another', () => {
    const home = temporaryFolder();
    const folder = join(home, 'bridges', 'b');
    mkdirSync(folder, { recursive: true });
    // This very process id, but of a process that was started at another time.
    writeFileSync(join(folder, 'lock-7'), JSON.stringify({ pid: process.pid, startTime: '1' }));
    expect(ownerOf(folder)).toBeUndefined();
    expect(new BridgeFolder(home, 'b').path).toBe(folder);
    expect(readdirSync(folder)).toEqual(['lock-8']);
    expect(ownerOf(folder)?.pid).toBe(process.pid);
    expect(() => new BridgeFolder(home, 'b')).toThrow(expect.objectContaining({ code: 'BRIDGE_RUNNING' }));
  });

  it('[BR26] is taken over when its lock or its meta.json cannot be read', () => {
    const home = temporaryFolder();
    const folder = join(home, 'bridges', 'b');
    mkdirSync(join(folder, 'spill'), { recursive: true });
    writeFileSync(join(folder, 'lock-1'), '{"pi');
    writeFileSync(join(folder, 'meta.json'), '{"id"');
    expect(new BridgeFolder(home, 'b').left).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['lock-2', 'meta.json']);
  });

  it('[BR200] is let go of in one step: the next bridge never finds half of it', async () => {
    const home = temporaryFolder();
    const count = 5_000;
    const script = builtProgram('packages/hub/test/bridge/removing-child.ts');
    const child = spawn(process.execPath, [script, home, 'b', String(count)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    const folder = join(home, 'bridges', 'b');
    const whole = readdirSync(folder).length;
    expect(whole).toBeGreaterThan(count);
    child.stdin.write('go');
    const sizes = new Set<number>();
    while (existsSync(folder)) {
      const size = sizeOf(folder);
      // What was opened before the step and read after it is not in this place any more.
      if (existsSync(folder)) sizes.add(size);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([...sizes].filter((size) => size !== whole && size !== 0)).toEqual([]);
    await exited;
    expect(readdirSync(join(home, 'bridges'))).toEqual([]);
  });

  it('[BR200] that is removed while the next bridge takes it is made again', () => {
    const folder = join(temporaryFolder(), 'bridges', 'b');
    let attempts = 0;
    const file = inFolder(folder, () => {
      attempts += 1;
      if (attempts === 1) rmSync(folder, { recursive: true });
      writeFileSync(join(folder, 'file'), 'x');
      return readFileSync(join(folder, 'file'), 'utf8');
    });
    expect([file, attempts]).toEqual(['x', 2]);
  });

  it('[BR31] keeps a log that does not grow past its limit', () => {
    const file = join(temporaryFolder(), 'bridge.log');
    const log = new BridgeLog(file);
    for (let n = 0; n < 40; n += 1) log.agentSaid(`${n} ${'x'.repeat(100_000)}\n`);
    log.note('the end');
    expect(readFileSync(file, 'utf8')).toMatch(/Z the end\n$/);
    for (const name of [file, `${file}.1`]) expect(statSync(name).size).toBeLessThan(LOG_BYTES + 200_000);
    expect(readdirSync(join(file, '..'))).toHaveLength(2);
  });
});

describe('the journal of a bridge', () => {
  it('[BR32] gives every line back by its number, from any number on', () => {
    const outbox = temporaryFolder();
    const journal = open(outbox, 'epoch-a');
    const line = (n: number): string => `${n} ${'x'.repeat(n % 3 === 0 ? 1_500_000 : 10)}`;
    for (let n = 1; n <= 12; n += 1) {
      journal.append(bytes(line(n)));
      if (journal.isFileFull) journal.trim(0);
    }
    journal.close();
    const [run] = leftRuns(outbox);
    expect(run).toMatchObject({ epoch: 'epoch-a', last: 12 });
    expect(readdirSync(journal.directory).length).toBeGreaterThan(1);
    for (let from = 1; from <= 13; from += 1) {
      const expected = Array.from({ length: 13 - from }, (_, at) => [from + at, line(from + at)]);
      expect(linesFrom(outbox, from), `from ${from}`).toEqual(expected);
    }
  });

  it('[BR32] forgets files whose lines were all acknowledged, and no other', () => {
    const outbox = temporaryFolder();
    const journal = open(outbox, 'epoch-a');
    const half = 'x'.repeat(JOURNAL_FILE_BYTES / 2);
    for (let n = 1; n <= 4; n += 1) journal.append(bytes(half));
    journal.trim(3);
    expect(linesFrom(outbox, 1).map(([n]) => n)).toEqual([1, 2, 3, 4]);
    journal.append(bytes('5'));
    journal.trim(4);
    expect(linesFrom(outbox, 1)).toEqual([[5, '5']]);
    journal.append(bytes('6'));
    journal.remove();
    expect(readdirSync(outbox)).toEqual([]);
  });

  it('[BR32] keeps epochs in the order in which they began', () => {
    const outbox = temporaryFolder();
    for (let n = 1; n <= 11; n += 1) {
      const journal = open(outbox, `epoch-${20 - n}`);
      journal.append(bytes(`${n}`));
      journal.close();
    }
    expect(leftRuns(outbox).map(({ epoch }) => epoch)).toEqual(
      Array.from({ length: 11 }, (_, n) => `epoch-${19 - n}`),
    );
  });

  it('[BR33] on a disk that refuses goes on, says so once, and numbers lines as if they were there', () => {
    const outbox = join(temporaryFolder(), 'outbox');
    writeFileSync(outbox, 'a file where a folder should be');
    const errors: string[] = [];
    const journal = new Journal(join(outbox, '1-epoch'), ({ code }) => errors.push(code));
    journal.append(bytes('1'));
    journal.append(bytes('2'));
    expect(errors).toEqual(['JOURNAL_WRITE_FAILED']);
    rmSync(outbox);
    journal.append(bytes('3'));
    journal.append(bytes('4'));
    journal.close();
    expect(linesFrom(outbox, 1)).toEqual([
      [3, '3'],
      [4, '4'],
    ]);
  });
});

/** How many files a folder has; none when it is gone. */
function sizeOf(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

function open(outbox: string, epoch: string): Journal {
  return new Journal(nextRunDirectory(outbox, epoch), (error) => {
    throw error;
  });
}

/** The lines of the first epoch that was left, with their numbers. */
function linesFrom(outbox: string, number: number): [number, string][] {
  return Array.from(leftRuns(outbox)[0]?.batchesFrom(number) ?? []).flatMap(({ first, content }) =>
    content
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line, at): [number, string] => [first + at, line]),
  );
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { type ChildOptions, type ChildTransport, spawnTransport } from '../../src/stdio/child-transport.ts';
import { readToEnd, sendAll } from '../conversation.ts';

const script = builtProgram('packages/transport/test/stdio/own-stdio-program.ts');

async function startProgram(name: string, options: Partial<ChildOptions> = {}): Promise<ChildTransport> {
  const child = await spawnTransport({ command: process.execPath, args: [script, name], ...options });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child.close();
  });
  return child;
}

async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'stdout.ndjson');
}

describe('a program on its own stdio', () => {
  const pipes = {
    'its host’s socket': () => startProgram('flood-and-listen'),
    'a pipe of the shell': () =>
      startProgram('', {
        command: 'sh',
        args: ['-c', '"$0" "$1" flood-and-listen | sleep 60', process.execPath, script],
      }),
  };

  it.each(Object.entries(pipes))('[TR29] hears its host while nobody reads %s', async (_name, start) => {
    const child = await start();
    for (const n of [1, 2, 3]) {
      await child.send(String(n));
      await expect.poll(() => child.stderrTail).toContain(`heard ${n}\n`);
    }
  });

  it('[TR30] goes on sending after the end of its input', async () => {
    const child = await startProgram('answer-after-end');
    await sendAll(child, ['1', '2']);
    await child.endInput();
    expect(await readToEnd(child)).toEqual([1, 2, 3].map((n) => `connected, heard 1,2, answer ${n}`));
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  const expected = Array.from({ length: 4000 }, (_, n) => `${n} ${'x'.repeat(1000)}`);

  it('[TR31] loses nothing when it exits after close(), into a socket', async () => {
    const child = await startProgram('close-and-exit');
    expect(await readToEnd(child)).toEqual(expected);
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it('[TR31] loses nothing when it exits after close(), into a pipe', async () => {
    const piped = spawn('sh', ['-c', '"$0" "$1" close-and-exit | cat', process.execPath, script]);
    expect((await text(piped.stdout)) === `${expected.join('\n')}\n`).toBe(true);
  });

  it('[TR31] loses nothing when it exits after close(), into a file', async () => {
    const path = await temporaryFile();
    const file = await open(path, 'w');
    const child = spawn(process.execPath, [script, 'close-and-exit'], {
      stdio: ['pipe', file.fd, 'inherit'],
    });
    const [code] = await once(child, 'exit');
    await file.close();
    expect(code).toBe(0);
    expect((await readFile(path, 'utf8')) === `${expected.join('\n')}\n`).toBe(true);
  });

  it('[TR32] ends by itself once its transport is closed, though its host keeps its input open', async () => {
    const child = spawn(process.execPath, [script, 'close-and-return']);
    const exit = once(child, 'exit');
    expect(await text(child.stdout)).toBe('1\n');
    expect(await exit).toEqual([0, null]);
  });

  it('[TR33] is told when its host is gone', async () => {
    const child = spawn(process.execPath, [script, 'write-until-refused']);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.end();
    expect(JSON.parse(await text(child.stderr))).toMatchObject({
      error: { code: 'TRANSPORT_CLOSED' },
      state: 'closed',
    });
  });
});

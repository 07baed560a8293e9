import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { STDERR_TAIL_CHARS, spawnTransport } from '../../src/stdio/child-transport.ts';
import { readLines, readToEnd, rejectionOf, sendAll, startWriting } from '../conversation.ts';
import { linesBeyond } from '../sample-lines.ts';
import { startNode } from './node-child.ts';

describe('a child that cannot be started', () => {
  it('[TR19] a command that is not there is named', async () => {
    expect(await rejectionOf(spawnTransport({ command: 'no-such-agent' }))).toMatchObject({
      code: 'CHILD_NOT_STARTED',
      message: expect.stringMatching(/^Cannot start no-such-agent: .*ENOENT/),
      cause: { code: 'ENOENT' },
    });
  });

  it('[TR19] a working directory that is not there is named', async () => {
    expect(
      await rejectionOf(spawnTransport({ command: process.execPath, cwd: '/no/such/folder' })),
    ).toMatchObject({
      code: 'CHILD_NOT_STARTED',
      message: expect.stringContaining('its working directory /no/such/folder does not exist'),
    });
  });

  it('[TR19] a file that may not run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const command = join(folder, 'agent');
    await writeFile(command, '#!/bin/sh\n', { mode: 0o600 });
    expect(await rejectionOf(spawnTransport({ command }))).toMatchObject({
      code: 'CHILD_NOT_STARTED',
      message: expect.stringContaining('EACCES'),
    });
  });

  it('[TR19] arguments that are too long', async () => {
    const args = ['x'.repeat(8 * 1024 * 1024)];
    expect(await rejectionOf(spawnTransport({ command: process.execPath, args }))).toMatchObject({
      code: 'CHILD_NOT_STARTED',
      message: expect.stringContaining('E2BIG'),
    });
  });
});

describe('a child that ends', () => {
  it('[TR20] the exit code, or the signal, is told', async () => {
    const failing = await startNode('process.exit(7)');
    expect(await failing.exited).toEqual({ code: 7, signal: null });
    const killed = await startNode('setInterval(() => {}, 1000)');
    killed.kill('SIGINT');
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGINT' });
  });

  it('[TR20] what it wrote last can be read after it is gone, even by a reader that is behind', async () => {
    const count = 1100;
    const child = await startNode(`
      const lines = Array.from({ length: ${count} }, (_, n) => n + 'x'.repeat(1000) + '\\n').join('');
      for (let at = 0; at < lines.length; ) at += require('fs').writeSync(1, lines.slice(at));
      process.exit(3)`);
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(child.state).toBe('closed');
    const lines = await readToEnd(child);
    expect(lines.map(Number.parseFloat)).toEqual(Array.from({ length: count }, (_, n) => n));
  });

  it('[TR20] a process that it left behind cannot hold the lines open', async () => {
    const child = await startNode(`
      const stray = require('child_process').spawn('sleep', ['60'], { detached: true, stdio: 'inherit' });
      console.log(stray.pid);
      process.exit()`);
    const [pid] = await readToEnd(child);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    process.kill(Number(pid), 'SIGKILL');
  });

  it('[TR20] a process that it left behind cannot flood the reader', async () => {
    const child = await startNode(`
      const stray = require('child_process').spawn('yes', { detached: true, stdio: 'inherit' });
      require('fs').writeSync(2, String(stray.pid));
      process.exit()`);
    onTestFinished(() => void process.kill(Number(child.stderrTail), 'SIGKILL'));
    await child.exited;
    expect(child.state).toBe('closed');
  });

  it('[TR21] the end of its stderr is kept, and all of it is passed on', async () => {
    let stderr = '';
    const child = await startNode("process.stderr.write('é'.repeat(100_000) + 'the end')", {
      onStderr: (text) => (stderr += text),
    });
    await child.exited;
    expect(child.stderrTail).toHaveLength(STDERR_TAIL_CHARS);
    expect(child.stderrTail.endsWith('éthe end')).toBe(true);
    expect(stderr).toHaveLength(100_007);
  });

  it('[TR22] endInput() lets it finish, and its last line needs no line end', async () => {
    const child = await startNode(`
      let input = '';
      process.stdin.on('data', (text) => (input += text));
      process.stdin.on('end', () => process.stdout.write('last words: ' + JSON.stringify(input)))`);
    await sendAll(child, ['1', '2']);
    await child.endInput();
    expect(child.state).toBe('connected');
    expect(await rejectionOf(child.send('3'))).toMatchObject({ code: 'TRANSPORT_CLOSED' });
    expect(await readToEnd(child)).toEqual(['last words: "1\\n2\\n"']);
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it('[TR22] endInput() settles when the child ends without having read', async () => {
    const child = await startNode("process.stdin.once('readable', () => process.exit(5))");
    void child.send('x'.repeat(8 * 1024 * 1024));
    await child.endInput();
    expect(await child.exited).toEqual({ code: 5, signal: null });
  });

  it('[TR23] what it wrote of a line when it was killed is handed over as the last line', async () => {
    const child = await startNode(`
      process.stdout.write('1\\n{"half":', () => process.kill(process.pid, 'SIGKILL'))`);
    expect(await readToEnd(child)).toEqual(['1', '{"half":']);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('[TR24] a child that takes no more input can still be heard', async () => {
    const child = await startNode(`
      process.on('SIGUSR2', () => console.log('2') || process.exit());
      setInterval(() => {}, 1000);
      require('fs').closeSync(0);
      console.log('1')`);
    const lines = child.receive();
    expect(await readLines(lines, 1)).toEqual(['1']);
    const writer = startWriting(child, linesBeyond(8 * 1024 * 1024, 1000));
    expect(await rejectionOf(writer.done)).toMatchObject({ code: 'TRANSPORT_CLOSED' });
    child.kill('SIGUSR2');
    expect(await readLines(lines, 2)).toEqual(['2']);
  });

  it('[TR24] send() to a child that is gone is refused', async () => {
    const child = await startNode('');
    await child.exited;
    expect(await rejectionOf(child.send('1'))).toMatchObject({ code: 'TRANSPORT_CLOSED' });
  });
});

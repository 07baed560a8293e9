import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '@signalbox/testing/is-running';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, vi } from 'vitest';
import { bashTool, MAX_OUTPUT_CHARS } from '../../src/tools/bash.ts';
import { openBench, pidIn } from './tool-bench.ts';

describe('Bash', () => {
  it('[TL2] returns what was printed, by stream', async () => {
    const { run } = await openBench();
    expect(await run(bashTool, { command: "echo 'it''s' out; echo err >&2" })).toEqual({
      content: 'its out\nerr',
      structured: { stdout: 'its out', stderr: 'err', interrupted: false, isImage: false },
    });
    expect(await run(bashTool, { command: 'true' })).toMatchObject({ content: '(no output)' });
    expect(await run(bashTool, { command: 'cat' })).toMatchObject({ content: '(no output)' });
  });

  it('[TL2] tells how a command failed, with what it printed', async () => {
    const { run } = await openBench();
    expect(await run(bashTool, { command: 'echo out; exit 3' })).toEqual({
      content: 'Exit code 3\nout',
      isError: true,
    });
    expect(await run(bashTool, { command: 'kill -TERM $$' })).toMatchObject({
      content: 'The command was killed by SIGTERM',
      isError: true,
    });
    const broken = await run(bashTool, { command: 'echo a\nfi' });
    expect(await run(bashTool, { command: 'echo "$# $*"' })).toMatchObject({ content: '0' });
    expect(broken).toMatchObject({ isError: true, content: expect.stringContaining('line 2: syntax error') });
  });

  it('[TL3] stays in the folder a command went to, and keeps no variables', async () => {
    const { run, session, path } = await openBench();
    await mkdir(path("a b'c"));
    await run(bashTool, { command: `cd "a b'c" && export KEPT=1 && exit 1` });
    expect(await run(bashTool, { command: 'pwd; echo "[$KEPT]"' })).toMatchObject({
      content: `${path("a b'c")}\n[]`,
    });
    expect(session.cwd).toBe(path("a b'c"));
  });

  it('[TL3] leaves nothing behind in the folder for temporary files, whatever its name', async () => {
    const { run, session, path } = await openBench();
    const temporary = path(`it's "$HOME" temporary`);
    await mkdir(temporary);
    await mkdir(path('sub'));
    vi.stubEnv('TMPDIR', temporary);
    await run(bashTool, { command: 'cd sub' });
    vi.unstubAllEnvs();
    expect(session.cwd).toBe(path('sub'));
    expect(await readdir(temporary)).toEqual([]);
  });

  it('[TL4] goes back to the first folder when a command leaves the working directories', async () => {
    const { run, session, folder } = await openBench();
    expect(await run(bashTool, { command: 'cd /' })).toMatchObject({
      structured: { stderr: `Shell cwd was reset to ${folder}` },
    });
    expect(session.cwd).toBe(folder);
    await run(bashTool, { command: 'cd ~' });
    expect(session.cwd).toBe(session.home);
    await run(bashTool, { command: `cd ${folder}-evil || mkdir ${folder}-evil && cd ${folder}-evil` });
    expect(session.cwd).toBe(folder);
  });

  it('[TL5] runs nothing in a folder that has vanished, and says where it goes on', async () => {
    const { run, path, folder } = await openBench();
    await mkdir(path('sub'));
    await run(bashTool, { command: 'cd sub' });
    await rm(path('sub'), { recursive: true });
    await expect(run(bashTool, { command: 'touch ran' })).rejects.toThrow(
      `${path('sub')} does not exist any more. Nothing was run; commands run in ${folder} from now on.`,
    );
    expect(await run(bashTool, { command: 'ls; pwd' })).toMatchObject({ content: folder });
    await rm(folder, { recursive: true });
    await expect(run(bashTool, { command: 'true' })).rejects.toThrow('Nothing was run.');
  });

  it('[TL6] ends a command that takes too long, with all it started', async () => {
    const { run, path } = await openBench();
    const command = 'echo begun; sleep 60 & echo $! > pid; wait';
    expect(await run(bashTool, { command, timeout: 300 })).toEqual({
      content: 'The command was ended after 300 ms\nbegun',
      isError: true,
    });
    expect(isRunning(await pidIn(path('pid')))).toBe(false);
  });

  it('[TL6] takes its limits from the environment', async () => {
    const { run, session } = await openBench();
    Object.assign(session.env, { BASH_DEFAULT_TIMEOUT_MS: '100', BASH_MAX_OUTPUT_LENGTH: '10' });
    expect(await run(bashTool, { command: 'sleep 60' })).toMatchObject({ isError: true });
    Object.assign(session.env, { BASH_MAX_TIMEOUT_MS: '200' });
    expect(await run(bashTool, { command: 'sleep 60', timeout: 60_000 })).toMatchObject({
      content: 'The command was ended after 200 ms',
    });
    Object.assign(session.env, {
      BASH_MAX_TIMEOUT_MS: '99999999999',
      BASH_DEFAULT_TIMEOUT_MS: '99999999999',
    });
    expect(await run(bashTool, { command: 'sleep 0.05; echo over' })).toMatchObject({ content: 'over' });
    expect(await run(bashTool, { command: 'echo abcdefghijklmno' })).toMatchObject({
      content: 'abcde\n… 6 characters were left out here …\nlmno',
    });
  });

  it('[TL7] is interrupted with its whole tree: children, those with a session of their own, and orphans', async () => {
    const { run, path } = await openBench();
    const interrupt = new AbortController();
    const command = [
      'sleep 60 & echo $! > child',
      'setsid sleep 60 & echo $! > session',
      '(setsid bash -c "echo \\$\\$ > orphan; exec sleep 60" &)',
      'setsid env -i bash -c "echo \\$\\$ > stranger; sleep 60; true" &',
      'trap "" TERM INT; echo begun; wait',
    ].join('\n');
    const interrupted = run(bashTool, { command }, interrupt.signal);
    const pids = await Promise.all(
      ['child', 'session', 'orphan', 'stranger'].map((name) => pidIn(path(name))),
    );
    expect(pids.map(isRunning)).toEqual([true, true, true, true]);
    interrupt.abort();
    expect(await interrupted).toEqual({
      content: 'The command was interrupted\nbegun',
      isError: true,
      structured: { stdout: 'begun', stderr: '', interrupted: true, isImage: false },
    });
    await until(() => !pids.some(isRunning));
  });

  it('[TL7] does not start after an interrupt', async () => {
    const { run } = await openBench();
    const result = await run(bashTool, { command: 'sleep 60' }, AbortSignal.abort());
    expect(result).toMatchObject({ structured: { interrupted: true } });
  });

  it('[TL8] keeps the beginning and the end of a flood, in memory that does not grow with it', async () => {
    const { run } = await openBench();
    const before = process.memoryUsage().rss;
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss - before);
    }, 5);
    const command = 'echo begin; head -c 100000000 /dev/zero | tr "\\0" x; echo; echo end';
    const { content } = await run(bashTool, { command });
    clearInterval(watch);
    expect(content).toMatch(
      /^begin\nxxx[^]*xxx\n… 99970011 characters were left out here …\nxxx[^]*xxx\nend$/,
    );
    expect(content.length).toBeLessThan(MAX_OUTPUT_CHARS + 100);
    expect(peak).toBeLessThan(80 * 1024 * 1024);
  });

  it('[TL8] splits no character where it leaves something out', async () => {
    const { run, session } = await openBench();
    session.env.BASH_MAX_OUTPUT_LENGTH = '6';
    expect(await run(bashTool, { command: 'echo 😀😀😀😀😀😀' })).toMatchObject({
      content: '😀\n… 7 characters were left out here …\n😀',
    });
  });

  it('[TL8] survives output that is not text', async () => {
    const { run } = await openBench();
    expect(
      await run(bashTool, { command: "printf 'a\\xff\\xfeb \\xe2\\x82'; printf '\\xac'" }),
    ).toMatchObject({
      content: 'a\uFFFD\uFFFDb €',
    });
  });

  it('[TL9] does not wait for what a command leaves behind, which lives on until the session ends', async () => {
    const { run, path, session } = await openBench();
    const command =
      '(while echo noise; do sleep 0.01; done) & echo $! > pid; setsid yes > /dev/null & echo $! > far; echo left';
    expect(await run(bashTool, { command })).toMatchObject({ content: expect.stringContaining('left') });
    const pids = [await pidIn(path('pid')), await pidIn(path('far'))];
    await run(bashTool, { command: 'sleep 0.1' });
    expect(pids.map(isRunning)).toEqual([true, true]);
    await session.tasks.stopAll();
    await until(() => !pids.some(isRunning));
  });

  it('[TL600] says in words that a line is too long for the system, in the foreground and in the background', async () => {
    const { run } = await openBench();
    const command = `echo ${'a '.repeat(500_000)}`;
    for (const run_in_background of [false, true])
      await expect(run(bashTool, { command, run_in_background })).rejects.toThrow(
        /^Nothing was run: the system takes no command of 10\d{5} characters.*Write it to a file/,
      );
    expect(await run(bashTool, { command: 'echo on' })).toMatchObject({ content: 'on' });
  });

  it('[TL2] explains that bash cannot be run', async () => {
    const { run, session, folder } = await openBench();
    session.env.PATH = join(folder, 'nothing-here');
    await expect(run(bashTool, { command: 'true' })).rejects.toThrow('Cannot run bash');
  });
});

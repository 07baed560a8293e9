import { isRunning } from '@signalbox/testing/is-running';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_STATUS_LINES, StatusLine, type StatusRun } from '../../src/hooks/status-line.ts';
import { openBench, pidIn } from '../tools/tool-bench.ts';

/** A status line without an agent around it. */
async function openStatusLine(command: string, timeoutMs?: number) {
  const bench = await openBench();
  const problems: string[] = [];
  const parts = {
    projectDir: bench.folder,
    env: bench.session.env,
    onProblem: (text: string) => problems.push(text),
  };
  const statusLine = new StatusLine({ command, padding: 0 }, parts, timeoutMs);
  onTestFinished(() => statusLine.close());
  const run = (more: Partial<StatusRun> = {}) =>
    statusLine.run({
      input: { session_id: 's' },
      cwd: bench.folder,
      columns: 91,
      rows: 31,
      signal: new AbortController().signal,
      ...more,
    });
  return { ...bench, problems, statusLine, run };
}

/** Runs until it is ended, the first time; after that it answers. */
const STUCK_ONCE = 'if mkdir first 2>/dev/null; then sleep 600 & echo $! > pid; wait; fi; echo here';

describe('a status line', () => {
  it('[HK860] reads JSON, knows the size of the terminal and the project, and none of our secrets', async () => {
    const { run, session, folder, problems } = await openStatusLine(
      'cat; echo "$COLUMNS $LINES $CLAUDE_PROJECT_DIR [$SIGNALBOX_TOKEN]"',
    );
    session.env.SIGNALBOX_TOKEN = 'secret';
    expect(await run()).toBe(`{"session_id":"s"}\n91 31 ${folder} []`);
    expect(problems).toEqual([]);
  });

  it('[HK860] gives its lines without what surrounds them, as many as fit', async () => {
    const { run } = await openStatusLine('echo; echo "  one  "; echo; seq 100');
    const lines = (await run())?.split('\n');
    expect(lines?.slice(0, 3)).toEqual(['one', '1', '2']);
    expect(lines).toHaveLength(MAX_STATUS_LINES);
  });

  it('[HK861] runs once at a time: a new run ends the one before, with all that it started', async () => {
    const { run, path } = await openStatusLine(STUCK_ONCE);
    const first = run();
    const pid = await pidIn(path('pid'));
    const [second, third] = await Promise.all([run(), run()]);
    await until(() => !isRunning(pid));
    expect([await first, second, third]).toEqual([undefined, undefined, 'here']);
  });

  it('[HK861] ends when nobody waits any more, and with its session', async () => {
    const { run, file, path, statusLine } = await openStatusLine('sleep 600 & echo $! > $(cat name); wait');
    const waiting = new AbortController();
    await file('name', 'a');
    const taken = run({ signal: waiting.signal });
    const first = await pidIn(path('a'));
    waiting.abort();
    expect(await taken).toBeUndefined();
    await until(() => !isRunning(first));
    await file('name', 'b');
    const last = run();
    const second = await pidIn(path('b'));
    await statusLine.close();
    expect(await last).toBeUndefined();
    await until(() => !isRunning(second));
    expect(await run()).toBeUndefined();
  });

  it('[HK862] shows nothing when it fails, hangs or prints without end, and says so once', async () => {
    const failing = await openStatusLine('echo half; echo no such battery >&2; exit 3');
    expect([await failing.run(), await failing.run()]).toEqual(['', '']);
    expect(failing.problems).toEqual([
      expect.stringMatching(/failed: it ended with code 3: no such battery$/),
    ]);
    const hanging = await openStatusLine('sleep 600', 50);
    expect(await hanging.run()).toBe('');
    expect(hanging.problems).toEqual([expect.stringContaining('it was ended after 0.05 s')]);
    const endless = await openStatusLine('yes');
    expect(await endless.run()).toBe('');
    expect(endless.problems).toEqual([expect.stringContaining('it printed more than')]);
  });
});

import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isRunning } from '@signalbox/testing/is-running';
import { until } from '@signalbox/testing/until';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_BACKGROUND_HOOKS, MAX_LATE_OUTCOMES } from '../../src/hooks/command-hooks.ts';
import { pidIn } from '../tools/tool-bench.ts';
import { BASH_CALL, type HookBench, openHookBench, printing } from './hook-bench.ts';

const NOTHING = { additionalContext: [], systemMessages: [] };

/** A hook takes one of the bytes that come through the gate: until then it waits without asking again and again. */
const WAIT = 'head -c 1 gate > /dev/null';

/** A gate in the folder of a bench, and what opens it for all hooks that wait now or later. */
async function gateIn({ path }: HookBench): Promise<() => Promise<unknown>> {
  await promisify(execFile)('mkfifo', [path('gate')]);
  // For both, so that neither side waits for the other to open it.
  const gate = await open(path('gate'), 'r+');
  onTestFinished(() => gate.close());
  return () => gate.write('x'.repeat(MAX_BACKGROUND_HOOKS + 1));
}

const late = {
  systemMessage: 'late',
  decision: 'block',
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', additionalContext: 'found' },
};

async function taken({ runner }: HookBench): Promise<unknown[]> {
  const all: unknown[] = [];
  await until(() => all.push(...runner.takeLate()) > 0);
  return all;
}

describe('hooks in the background', () => {
  it.each([
    ['say so in their first line', `echo '{"async":true,"asyncTimeout":15000}'; ${WAIT}; ${printing(late)}`],
    ['are named so in the settings', { command: `${WAIT}; ${printing(late)}`, async: true }],
  ])('[HK17] that %s are not waited for, and what they find comes later', async (_, hook) => {
    const bench = await openHookBench();
    const openGate = await gateIn(bench);
    bench.commands('PreToolUse', hook);
    const turn = new AbortController();
    expect(await bench.fire('PreToolUse', BASH_CALL, { signal: turn.signal })).toEqual(NOTHING);
    expect(bench.runner.takeLate()).toEqual([]);
    turn.abort();
    await openGate();
    expect(await taken(bench)).toEqual([{ additionalContext: ['found'], systemMessages: ['late'] }]);
    expect(bench.runner.takeLate()).toEqual([]);
    expect(bench.problems).toEqual([]);
  });

  it('[HK17] tell the host when they have ended', async () => {
    const bench = await openHookBench({ includeEvents: true });
    const { commands, fire, messages } = bench;
    const openGate = await gateIn(bench);
    commands('Stop', { command: `${WAIT}; echo done`, async: true });
    await fire('Stop');
    expect(messages).toHaveLength(1);
    await openGate();
    await until(() => messages.length > 1 && JSON.stringify(messages.at(-1)).includes('hook_response'));
    expect(messages.at(-1)).toMatchObject({ subtype: 'hook_response', outcome: 'success', stdout: 'done\n' });
  });

  it('[HK17] that take too long or fail are problems', async () => {
    const { commands, fire, problems, path } = await openHookBench();
    commands('Stop', `echo $$ > pid; echo '{"async":true,"asyncTimeout":1000}'; sleep 60`, {
      command: 'exit 7',
      async: true,
    });
    expect(await fire('Stop')).toEqual(NOTHING);
    const pid = await pidIn(path('pid'));
    await until(() => problems.length === 2);
    expect(problems.join()).toContain('it was ended after 1 s');
    expect(problems.join()).toContain('it ended with code 7');
    await until(() => !isRunning(pid));
  });

  it('[HK17] end with the session', async () => {
    const { commands, fire, path, runner } = await openHookBench();
    commands('Stop', { command: 'setsid sleep 60 & echo $! > pid; wait', async: true });
    await fire('Stop');
    const pid = await pidIn(path('pid'));
    await runner.close();
    await until(() => !isRunning(pid));
  });

  it('[HK18] are limited in number: one more is waited for', async () => {
    const bench = await openHookBench();
    const { commands, fire, text } = bench;
    const openGate = await gateIn(bench);
    const hooks = Array.from({ length: MAX_BACKGROUND_HOOKS }, (_, at) => ({
      command: `: ${at}; ${WAIT}`,
      async: true,
    }));
    commands('Stop', ...hooks);
    await fire('Stop');
    commands('Notification', { command: `echo yes > waits; ${WAIT}`, async: true });
    const settled = { isOver: false };
    const running = fire('Notification').then(() => {
      settled.isOver = true;
    });
    await until(() => text('waits').then(Boolean, () => false));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(settled.isOver).toBe(false);
    await openGate();
    await running;
  });

  it('[HK18] keep a limited number of answers', async () => {
    const bench = await openHookBench();
    bench.commands('Stop', { command: printing({ systemMessage: 'late' }), async: true });
    for (let round = 0; round < MAX_LATE_OUTCOMES + 1; round += 1) await bench.fire('Stop');
    await until(() => bench.problems.length === 1);
    expect(bench.problems).toEqual([
      expect.stringContaining(`${MAX_LATE_OUTCOMES} late answers wait already`),
    ]);
    expect(bench.runner.takeLate()).toHaveLength(MAX_LATE_OUTCOMES);
  });
});

import { isRunning } from '@signalbox/testing/is-running';
import { check, checkFits } from '../check.ts';
import { kindOf } from '../messages.ts';
import { eventually } from '../processes.ts';
import { call, UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';

const bash = (command: string, more: Record<string, unknown> = {}) =>
  call('Bash', { command, description: 'try it', ...more });

export const shell: Part = {
  title: 'Bash',
  scenarios: [
    {
      name: 'stdout reaches the model and, structured, the host',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool, result } = await agent.turn(bash('echo one; echo two'));
        checkFits(tool, {
          isError: false,
          text: 'one\ntwo',
          structured: { stdout: 'one\ntwo', interrupted: false },
        });
        checkFits(result, { result: 'done: one\ntwo' });
      },
    },
    {
      name: 'a command that fails is an error with its exit code and output',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool } = await agent.turn(bash('echo out; exit 3'));
        checkFits(tool, { isError: true, text: /Exit code 3[\s\S]*out/ });
      },
    },
    {
      name: 'stderr is shown',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        checkFits((await agent.turn(bash('echo oops >&2'))).tool, { isError: false, text: /oops/ });
      },
    },
    {
      name: 'the working directory stays from call to call',
      misses: { '2.1.37': 'starts every command in the folder of the session' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(bash('mkdir -p deep && cd deep'));
        checkFits((await agent.turn(bash('pwd'))).tool, { text: stage.path('deep') });
      },
    },
    {
      name: 'variables of one call are gone in the next',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(bash('export LEFTOVER=here'));
        checkFits((await agent.turn(bash('echo "[$LEFTOVER]"'))).tool, { text: '[]' });
      },
    },
    {
      name: 'stdin is empty: a command that reads ends',
      misses: { '2.1.37': 'the command waits for ever' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        checkFits((await agent.turn(bash('cat; echo over'))).tool, { text: 'over' });
      },
    },
    {
      name: 'a time limit ends the command, and says so',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool } = await agent.turn(bash('sleep 60', { timeout: 1000 }));
        checkFits(tool, { text: /timed out|background|after 1/i });
      },
    },
    {
      name: 'long output is cut',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool } = await agent.turn(bash('seq 1 100000'));
        check(tool.text.length < 100_000, `the model gets ${tool.text.length} characters`);
        check(/[a-z]{4}/i.test(tool.text), 'it does not say that it is cut');
      },
    },
    {
      name: 'a command in the background lets the turn go on',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const began = Date.now();
        const { tool } = await agent.turn(bash('echo $$ > pid; sleep 30', { run_in_background: true }));
        checkFits(tool, { isError: false, text: /background/i });
        check(Date.now() - began < 15_000, 'the turn waited for the command');
      },
    },
    {
      name: 'the end of a command in the background is told, with the file that has its output',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(bash('echo from-behind', { run_in_background: true }));
        const end = await agent.next((message) => kindOf(message) === 'system/task_notification');
        checkFits(end, { task_id: /./, status: 'completed', output_file: /./ });
        checkFits(await stage.read(String(end['output_file'])), /from-behind/);
      },
    },
    {
      name: 'what runs in the background is gone when the agent is',
      misses: { '2.1.37': 'leaves it running' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.turn(bash('echo $$ > pid; sleep 60', { run_in_background: true }));
        const pid = await eventually(async () => Number(await stage.read(stage.path('pid'))) || undefined);
        process.kill(agent.pid, 'SIGTERM');
        await agent.gone();
        await eventually(async () => !isRunning(pid) || undefined);
      },
    },
    {
      name: 'TaskStop ends a command in the background',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool } = await agent.turn(bash('echo $$ > pid; sleep 60', { run_in_background: true }));
        const pid = await eventually(async () => Number(await stage.read(stage.path('pid'))) || undefined);
        const task_id = /ID: (\w+)/i.exec(tool.text)?.[1] ?? '';
        checkFits((await agent.turn(call('TaskStop', { task_id }))).tool, { isError: false });
        await eventually(async () => !isRunning(pid) || undefined);
      },
    },
    {
      name: 'TaskOutput shows what a command in the background said',
      misses: { '2.1.325': 'has no TaskOutput: its model reads a file' },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        const { tool } = await agent.turn(
          bash('echo early; sleep 0.2; echo late', { run_in_background: true }),
        );
        const task_id = /ID: (\w+)/i.exec(tool.text)?.[1] ?? '';
        const shown = await agent.turn(call('TaskOutput', { task_id, block: true, timeout: 5000 }));
        checkFits(shown.tool, { isError: false, text: /early[\s\S]*late/ });
      },
    },
  ],
};

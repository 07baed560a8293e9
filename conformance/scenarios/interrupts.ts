import { isRunning } from '@signalbox/testing/is-running';
import { check, checkFits } from '../check.ts';
import type { DrivenAgent } from '../driven-agent.ts';
import { blocksOf, isToolUse } from '../messages.ts';
import { eventually } from '../processes.ts';
import { UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';

const LEFT = 'leaves what the command had put into the background';

async function checkGoesOn(agent: DrivenAgent): Promise<void> {
  const { result } = await agent.turn('say still here');
  checkFits(result, { subtype: 'success', result: 'still here' });
}

export const interrupts: Part = {
  title: 'Interrupts',
  scenarios: [
    {
      name: 'in mid-stream: the turn ends, the session goes on',
      async play(stage) {
        const agent = await stage.start({ args: ['--include-partial-messages'] });
        await agent.say('slow 2000');
        await agent.next(({ type }) => type === 'stream_event');
        await agent.control('interrupt');
        const { result, messages } = await agent.rest(0);
        checkFits(result, { subtype: 'error_during_execution' });
        const note = messages.some(
          (message) =>
            message['type'] === 'user' &&
            /Request interrupted by user/.test(JSON.stringify(blocksOf(message))),
        );
        check(note, 'no user message says that it was interrupted');
        await checkGoesOn(agent);
      },
    },
    {
      name: 'in mid-tool: what the tool started is gone, the session goes on',
      misses: { '2.1.325': LEFT },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.say('run sleep 60 & echo $! > pid; wait');
        await agent.next(isToolUse);
        const pid = await eventually(async () => Number(await stage.read(stage.path('pid'))) || undefined);
        await agent.control('interrupt');
        const { result } = await agent.rest(0);
        checkFits(result, { subtype: 'error_during_execution' });
        await eventually(async () => !isRunning(pid) || undefined);
        await checkGoesOn(agent);
      },
    },
    {
      name: 'while it asks: the question is withdrawn, the session goes on',
      async play(stage) {
        const agent = await stage.start({ onPermission: () => new Promise(() => {}) });
        await agent.say('run touch never');
        await agent.question();
        await agent.control('interrupt');
        checkFits((await agent.rest(0)).result, { subtype: 'error_during_execution' });
        await checkGoesOn(agent);
        check((await stage.read(stage.path('never'))) === undefined, 'the tool ran');
      },
    },
    {
      name: 'while it asks: the call gets its result, and counts as denied',
      misses: { '2.1.37': 'has no terminal_reason' },
      async play(stage) {
        const agent = await stage.start({ onPermission: () => new Promise(() => {}) });
        await agent.say('run touch never');
        await agent.question();
        await agent.control('interrupt');
        const { result, messages } = await agent.rest(0);
        checkFits(result, { terminal_reason: 'aborted_tools', permission_denials: [{ tool_name: 'Bash' }] });
        const said = messages.filter(({ type }) => type === 'user').flatMap(blocksOf);
        checkFits(said[0], { type: 'tool_result', is_error: true });
        checkFits(said[1], { type: 'text', text: '[Request interrupted by user for tool use]' });
      },
    },
    {
      name: 'while it waits to try again: the turn ends at once',
      async play(stage) {
        const agent = await stage.start();
        stage.model.injectFault({ kind: 'status', status: 429, retry_after_s: 30 });
        await agent.say('say late');
        await stage.model.waitForRequest(({ status }) => status === 429);
        await agent.control('interrupt');
        await agent.rest(0);
        await checkGoesOn(agent);
      },
    },
    {
      name: 'with nothing to interrupt: a success',
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('say hi');
        await agent.control('interrupt');
        await checkGoesOn(agent);
      },
    },
    {
      name: 'a prompt that waits is answered after an interrupt',
      async play(stage) {
        const agent = await stage.start({ args: ['--include-partial-messages'] });
        await agent.say('slow 2000');
        await agent.next(({ type }) => type === 'stream_event');
        await agent.say('say next in line');
        await agent.control('interrupt');
        await agent.next((message) => message['result'] === 'next in line');
      },
    },
    {
      name: 'SIGTERM ends it in mid-tool, with all that it started',
      misses: { '2.1.37': LEFT, '2.1.325': LEFT },
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await agent.say('run sleep 60 & echo $! > pid; wait');
        const pid = await eventually(async () => Number(await stage.read(stage.path('pid'))) || undefined);
        process.kill(agent.pid, 'SIGTERM');
        await agent.gone();
        await eventually(async () => !isRunning(pid) || undefined);
      },
    },
  ],
};

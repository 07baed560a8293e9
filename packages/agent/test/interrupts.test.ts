import { join } from 'node:path';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it } from 'vitest';
import { driveAgent, isResult } from './drive-agent.ts';
import { pollFile } from './poll-file.ts';
import { withResolvers } from './with-resolvers.ts';

describe('an agent that works', () => {
  it('[AG6] is interrupted in mid-stream and in mid-tool, and goes on', async () => {
    const agent = await driveAgent({
      args: ['--include-partial-messages', '--dangerously-skip-permissions'],
    });
    await agent.say('slow 5000');
    await agent.next((message) => message.type === 'stream_event');
    await agent.peer.request({ subtype: 'interrupt' });
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'error_during_execution' });
    let after = agent.messages.length;
    await agent.say('run sleep 60 & echo $! > pid; wait');
    await agent.next(
      (message) => message.type === 'assistant' && message.message.content[0]?.type === 'tool_use',
      after,
    );
    const pid = await pollFile(join(agent.folder, 'pid'));
    await agent.peer.request({ subtype: 'interrupt' });
    await agent.next(isResult, after);
    expect(isRunning(Number(pid))).toBe(false);
    after = agent.messages.length;
    await agent.say('say still here');
    expect(await agent.next(isResult, after)).toMatchObject({ result: 'still here' });
  });

  it('[AG670] is interrupted while it asks: every call gets its result, and the turn ends as one that a tool was stopped in', async () => {
    const asked = withResolvers();
    const touch = (id: string) => ({ tool: 'Bash', id, input: { command: `touch ${id}` } });
    const agent = await driveAgent({
      onPermission: (_request, { signal }) => {
        asked.resolve();
        return new Promise((_, reject) => signal.addEventListener('abort', reject));
      },
      scenario: { name: 'two calls', turns: [{ say: [touch('one'), touch('two')] }] },
    });
    await agent.say('two');
    await asked.promise;
    await agent.peer.request({ subtype: 'interrupt' });
    expect(await agent.next(isResult)).toMatchObject({
      subtype: 'error_during_execution',
      terminal_reason: 'aborted_tools',
      permission_denials: [{ tool_use_id: 'one' }],
    });
    const said = agent.messages.flatMap((message) => {
      const content = message.type === 'user' ? message.message.content : [];
      return typeof content === 'string' ? [] : content;
    });
    expect(said).toMatchObject([
      { type: 'tool_result', tool_use_id: 'one', is_error: true },
      { type: 'tool_result', tool_use_id: 'two', is_error: true },
      { type: 'text', text: '[Request interrupted by user for tool use]' },
    ]);
  });
});

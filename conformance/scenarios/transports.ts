import { setTimeout as sleep } from 'node:timers/promises';
import { check, checkFits } from '../check.ts';
import { allow } from '../conversation.ts';
import { isToolUse } from '../messages.ts';
import { UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';

const REFUSED = { '2.1.325': 'dials approved addresses only' } as const;
const DOWN_MS = 500;

export const transports: Part = {
  title: 'Over a WebSocket (--sdk-url)',
  scenarios: [
    {
      name: 'a plain server drives it, turn by turn',
      misses: REFUSED,
      async play(stage) {
        const { agent } = await stage.dialIn();
        checkFits((await agent.turn('say one')).result, { result: 'one' });
        checkFits((await agent.turn('say two')).result, { result: 'two' });
      },
    },
    {
      name: 'it asks for permissions without being told to',
      misses: REFUSED,
      async play(stage) {
        const { agent } = await stage.dialIn({ onPermission: allow });
        await agent.turn('run touch a');
        checkFits(agent.asked, [{ tool_name: 'Bash', input: { command: 'touch a' } }]);
        check((await stage.read(stage.path('a'))) !== undefined, 'it did not run');
      },
    },
    {
      name: 'control requests are answered',
      misses: REFUSED,
      async play(stage) {
        const { agent } = await stage.dialIn();
        checkFits(await agent.control('initialize'), { output_style: 'default' });
      },
    },
    {
      name: 'the token of the environment is its bearer token',
      misses: REFUSED,
      async play(stage) {
        const { agent, host } = await stage.dialIn({ env: { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'sesame' } });
        await agent.turn('say hi');
        checkFits(host.connections[0], { authorization: 'Bearer sesame' });
      },
    },
    {
      name: 'a token that it gets later is its bearer token when it dials again',
      misses: { ...REFUSED, '2.1.37': 'keeps the token that it began with' },
      async play(stage) {
        const { agent, host } = await stage.dialIn({ env: { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'old' } });
        await agent.turn('say one');
        const variables = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'sesame' };
        await host.send(JSON.stringify({ type: 'update_environment_variables', variables }));
        // Answered after it: by then the variables count.
        await agent.turn('say two');
        await host.stop();
        await host.restart();
        await host.connected(2);
        checkFits(host.connections, [{ authorization: 'Bearer old' }, { authorization: 'Bearer sesame' }]);
      },
    },
    {
      name: 'what stands on its stdin is heard as well',
      misses: { ...REFUSED, '2.1.37': 'leaves when a line comes there' },
      async play(stage) {
        const { agent, type } = await stage.dialIn();
        await agent.turn('say one');
        const mark = agent.messages.length;
        const message = { role: 'user', content: 'say two' };
        await type(JSON.stringify({ type: 'user', message, parent_tool_use_id: null, session_id: '' }));
        checkFits((await agent.rest(mark)).result, { result: 'two' });
      },
    },
    {
      name: 'what it writes to stderr shows nothing of the query of its address',
      misses: REFUSED,
      async play(stage) {
        const { agent, host, stderr } = await stage.dialIn({}, '/?secret=hidden');
        await agent.turn('say one');
        await host.stop();
        await host.restart();
        await host.connected(2);
        checkFits((await agent.turn('say two')).result, { result: 'two' });
        check(!stderr().includes('hidden'), `it wrote ${stderr()}`);
      },
    },
    {
      name: 'the API is told in which container it runs, and for which remote session',
      async play(stage) {
        const env = { CLAUDE_CODE_CONTAINER_ID: 'box-1', CLAUDE_CODE_REMOTE_SESSION_ID: 'far-1' };
        const agent = await stage.start({ env });
        await agent.turn('say hi');
        checkFits(stage.requests().at(-1)?.headers, {
          'x-claude-remote-container-id': 'box-1',
          'x-claude-remote-session-id': 'far-1',
        });
      },
    },
    {
      name: 'it comes back after its connection was cut',
      misses: REFUSED,
      async play(stage) {
        const { agent, host } = await stage.dialIn();
        await agent.turn('say one');
        await host.stop();
        await host.restart();
        await host.connected(2);
        checkFits((await agent.turn('say two')).result, { result: 'two' });
      },
    },
    {
      name: 'it waits for a server that is down for a while',
      misses: REFUSED,
      async play(stage) {
        const { agent, host } = await stage.dialIn();
        await agent.turn('say one');
        for (const connection of [2, 3]) {
          await host.stop();
          await sleep(DOWN_MS);
          await host.restart();
          await host.connected(connection);
        }
        checkFits((await agent.turn('say two')).result, { result: 'two' });
      },
    },
    {
      name: 'what it said while the server was down arrives afterwards',
      misses: { ...REFUSED, '2.1.37': 'loses it' },
      async play(stage) {
        const { agent, host } = await stage.dialIn({ args: UNASKED });
        await agent.turn('say one');
        const mark = agent.messages.length;
        await agent.say('run sleep 0.3; echo done-meanwhile');
        await agent.next(isToolUse, mark);
        await host.stop();
        await sleep(2 * DOWN_MS);
        await host.restart();
        checkFits((await agent.rest(mark)).result, { result: /done-meanwhile/ });
      },
    },
  ],
};

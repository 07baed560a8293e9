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

import { expect, it } from 'vitest';
import {
  type SDKSession,
  type SDKSessionOptions,
  unstable_v2_createSession,
  unstable_v2_prompt,
  unstable_v2_resumeSession,
} from '../src/index.ts';
import { collect, type FakeAgent, fakeAgent, OBEDIENT, prompt, thrownBy, untilGone } from './fake-agent.ts';
import { INSTALL_TIMEOUT_MS, officialSdk } from './official/official-sdk.ts';

function options(agent: FakeAgent, more?: Partial<SDKSessionOptions>): SDKSessionOptions {
  const { env = {} } = agent.options();
  return { pathToClaudeCodeExecutable: agent.path, env, model: 'm', ...more };
}

async function turn(session: SDKSession): Promise<string[]> {
  return (await collect(session.stream())).map(({ type }) => type);
}

it('[SD662] a session of the second interface: send, stream a turn, again, and close', async () => {
  const agent = await fakeAgent(OBEDIENT);
  const session = unstable_v2_createSession(options(agent));
  expect(() => session.sessionId).toThrow(expect.objectContaining({ code: 'CLI_CONNECTION' }));
  await session.send('one');
  expect(await turn(session)).toEqual(['result']);
  expect(session.sessionId).toBe('s');
  await session.send(prompt('two'));
  expect(await turn(session)).toEqual(['result']);
  session.close();
  expect(await thrownBy(session.send('three'))).toMatchObject({ code: 'CLI_CONNECTION' });
  await session[Symbol.asyncDispose]();
  await untilGone((await agent.start()).started);
  expect((await agent.heard('user')).map(({ message }) => message)).toMatchObject([
    { content: [{ type: 'text', text: 'one' }] },
    { content: 'two' },
  ]);
});

it('[SD662] a session that goes on has its id at once', async () => {
  const agent = await fakeAgent(OBEDIENT);
  const session = unstable_v2_resumeSession('an-id', options(agent));
  expect(session.sessionId).toBe('an-id');
  const { argv } = await agent.start();
  expect(argv).toContain('--resume=an-id');
  await session[Symbol.asyncDispose]();
});

it('[SD662] a prompt of the second interface asks the agent for what the official package asks', {
  timeout: INSTALL_TIMEOUT_MS,
}, async () => {
  const theirs = await officialSdk('0.2.37');
  const told = await Promise.all(
    [unstable_v2_prompt, theirs.unstable_v2_prompt].map(async (ask) => {
      const agent = await fakeAgent(OBEDIENT);
      const more: Partial<SDKSessionOptions> = {
        allowedTools: ['Read'],
        disallowedTools: ['Bash'],
        permissionMode: 'plan',
      };
      expect(await ask('hello', options(agent, more))).toMatchObject({ type: 'result', result: 'ok' });
      const { argv, started } = await agent.start();
      await untilGone(started);
      const flags = argv
        .join(' ')
        .replaceAll(/ (?=--)/g, '\n')
        .replaceAll('=', ' ')
        .split('\n');
      const [initialize] = await agent.heard('initialize');
      const [user] = await agent.heard('user');
      return { flags: flags.map((flag) => flag.trim()).toSorted(), initialize, user };
    }),
  );
  expect(told[0]).toEqual(told[1]);
});

it('[SD662] an agent that leaves in the middle of it is an error', async () => {
  const agent = await fakeAgent('return { user: () => process.exit(0) };');
  expect(await thrownBy(unstable_v2_prompt('hello', options(agent)))).toMatchObject({
    code: 'CLI_CONNECTION',
  });
});

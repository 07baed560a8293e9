import { describe, expect, it } from 'vitest';
import { Client } from '../src/index.ts';
import { collect, fakeAgent, isRunning, prompt } from './fake-agent.ts';

const ECHO = `return { user: ({ message }) => { out({ type: 'assistant', said: message.content }); result(); } };`;

describe('Client', () => {
  it('[SD32] one conversation of many turns', async () => {
    const agent = await fakeAgent(ECHO);
    await using client = new Client(agent.options());
    await client.connect('one');
    expect(await collect(client.receiveResponse())).toMatchObject([{ said: 'one' }, { type: 'result' }]);
    await client.send('two');
    expect(await collect(client.receiveResponse())).toMatchObject([{ said: 'two' }, { type: 'result' }]);
    await client.send(prompt('three'));
    for await (const message of client.receive()) {
      expect(message).toMatchObject({ said: 'three' });
      break;
    }
    expect(await collect(client.receiveResponse())).toMatchObject([{ type: 'result' }]);
    expect(await client.serverInfo()).toMatchObject({ account: { email: 'e' } });
    await client.interrupt();
    await client.setModel('m');
    await client.setPermissionMode('plan');
    expect((await agent.log()).filter(({ heard }) => heard?.request).length).toBe(4);
  });

  it('[SD32] its environment is added to that of this process', async () => {
    const agent = await fakeAgent(ECHO);
    process.env['SIGNALBOX_TEST_INHERITED'] = 'yes';
    await using client = new Client(agent.options({ env: { MINE: '1' } }));
    await client.connect();
    delete process.env['SIGNALBOX_TEST_INHERITED'];
    expect((await agent.start()).env).toMatchObject({ SIGNALBOX_TEST_INHERITED: 'yes', MINE: '1' });
  });

  it('[SD221] a stream of prompts may wait for what the agent says, and its end is the end of the conversation', async () => {
    const agent = await fakeAgent(ECHO);
    await using client = new Client(agent.options());
    let hasAnswered = (): void => {};
    const answered = new Promise<void>((resolve) => {
      hasAnswered = resolve;
    });
    async function* prompts() {
      yield prompt('one');
      await answered;
      const { session_id: _left, ...bare } = prompt('two');
      yield bare;
    }
    await client.connect(prompts());
    const said: unknown[] = [];
    for await (const message of client.receive()) {
      said.push(message);
      if (message.type === 'result') hasAnswered();
    }
    expect(said).toMatchObject([{ said: 'one' }, { type: 'result' }, { said: 'two' }, { type: 'result' }]);
    const heard = (await agent.log()).flatMap((one) => (one.heard?.type === 'user' ? [one.heard] : []));
    expect(heard.map(({ session_id }) => session_id)).toEqual(['', '']);
    await expect(client.send('three')).rejects.toMatchObject({ code: 'CLI_CONNECTION' });
  });

  it('[SD221] what a stream of prompts throws ends the conversation', async () => {
    const agent = await fakeAgent(ECHO);
    await using client = new Client(agent.options());
    async function* prompts() {
      yield prompt('one');
      throw new Error('my own');
    }
    await client.connect(prompts());
    await expect(collect(client.receive())).rejects.toThrow('my own');
  });

  it('[SD33] without a connection every call says so', async () => {
    const client = new Client();
    await expect(client.send('x')).rejects.toMatchObject({ code: 'CLI_CONNECTION' });
    await expect(client.receive().next()).rejects.toMatchObject({ code: 'CLI_CONNECTION' });
    await expect(client.interrupt()).rejects.toMatchObject({ code: 'CLI_CONNECTION' });
    await client.disconnect();
  });

  it('[SD33] disconnecting waits for the end of the agent, and allows to connect again', async () => {
    const agent = await fakeAgent(ECHO);
    const client = new Client(agent.options());
    await client.connect();
    await expect(client.connect()).rejects.toMatchObject({ code: 'CLI_CONNECTION' });
    const { started } = await agent.start();
    await client.disconnect();
    expect(isRunning(started)).toBe(false);
    await client.connect('again');
    expect((await collect(client.receiveResponse())).length).toBe(2);
    await client.disconnect();
  });

  it('[SD33] a connection that fails leaves nothing behind', async () => {
    const agent = await fakeAgent(`return { initialize: () => process.exit(3) };`);
    const client = new Client(agent.options());
    await expect(client.connect()).rejects.toMatchObject({ code: 'CONTROL_CLOSED' });
    await expect(client.send('x')).rejects.toMatchObject({ code: 'CLI_CONNECTION' });
  });

  it('[SD33] an agent that died takes no prompt', async () => {
    const agent = await fakeAgent(`return { user: () => process.exit(3) };`);
    const client = new Client(agent.options());
    await client.connect('x');
    await expect(collect(client.receive())).rejects.toMatchObject({ code: 'PROCESS_FAILED', exitCode: 3 });
    await expect(client.send('y')).rejects.toMatchObject({
      code: 'CLI_CONNECTION',
      cause: { code: expect.any(String) },
    });
    await client.disconnect();
  });
});

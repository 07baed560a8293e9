import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../src/commands/command.ts';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';

async function answerTo(agent: DrivenAgent, prompt: string): Promise<Record<string, unknown>> {
  const from = agent.messages.length;
  await agent.say(prompt);
  return Object(await agent.next(isResult, from));
}

describe('slash commands', () => {
  it.each([
    ['/cost', { name: 'cost', args: '' }],
    ['/compact keep it', { name: 'compact', args: 'keep it' }],
    ['/git:commit a\nb', { name: 'git:commit', args: 'a\nb' }],
    ['/apps/web:deploy now', { name: 'apps/web:deploy', args: 'now' }],
    ['// a comment', undefined],
    ['/', undefined],
    ['what does /cost do?', undefined],
  ])('[CD1] %j is read as %j', (text, expected) => {
    expect(parseCommandLine(text)).toEqual(expected);
  });

  it('[CD2] are listed for the host, with what they take', async () => {
    const agent = await driveAgent();
    const { commands } = Object(await agent.peer.request({ subtype: 'initialize' }));
    expect(commands.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['compact', 'clear', 'context', 'cost', 'model', 'init', 'help']),
    );
    await agent.say('say hi');
    await agent.next(isResult);
    expect(Object(agent.messages[0]).slash_commands).toContain('compact');
  });

  it('[CD3] answer without the model', async () => {
    const agent = await driveAgent();
    await answerTo(agent, 'say hi');
    const asked = agent.model.requests.length;
    expect(await answerTo(agent, '/cost')).toMatchObject({
      result: expect.stringMatching(/Total cost.*\$0\.\d+/),
    });
    expect(await answerTo(agent, '/context')).toMatchObject({
      result: expect.stringContaining('Messages'),
    });
    expect(await answerTo(agent, '/help')).toMatchObject({ result: expect.stringContaining('/compact') });
    expect(await answerTo(agent, '/model')).toMatchObject({ result: expect.stringContaining('claude-') });
    expect(agent.model.requests).toHaveLength(asked);
    expect(
      agent.messages.some(
        (message) => message.type === 'user' && JSON.stringify(message).includes('local-command-stdout'),
      ),
    ).toBe(true);
  });

  it('[CD4] /model uses another model from then on', async () => {
    const agent = await driveAgent();
    await answerTo(agent, '/model haiku');
    await answerTo(agent, 'say hi');
    expect(Object(agent.model.requests.at(-1)?.body).model).toContain('haiku');
  });

  it('[CD5] /clear forgets the conversation, and goes on under a new session id', async () => {
    const agent = await driveAgent();
    const before = await answerTo(agent, 'say secret');
    const cleared = await answerTo(agent, '/clear');
    expect(cleared.session_id).not.toBe(before.session_id);
    expect(agent.messages).toContainEqual(
      expect.objectContaining({ type: 'conversation_reset', new_conversation_id: cleared.session_id }),
    );
    const after = await answerTo(agent, 'say hi');
    expect(after.session_id).toBe(cleared.session_id);
    expect(JSON.stringify(agent.model.requests.at(-1)?.body)).not.toContain('secret');
  });

  it('[CD6] /init stands for a prompt', async () => {
    const agent = await driveAgent();
    await answerTo(agent, '/init look at the tests');
    expect(JSON.stringify(agent.model.requests.at(-1)?.body)).toContain('The person adds: look at the tests');
  });

  it('[CD7] that nobody knows go to the model as they are', async () => {
    const agent = await driveAgent();
    expect(await answerTo(agent, '/nonsense x')).toMatchObject({ result: 'echo: /nonsense x' });
    expect(await answerTo(agent, '/etc/passwd is a file')).toMatchObject({
      result: 'echo: /etc/passwd is a file',
    });
  });
});

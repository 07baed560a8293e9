import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentMessage, JsonObject } from '@signalbox/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';

/** The session of an agent that was killed while it asked whether it may run a command. */
async function killedWhileAsking(prompt = 'run touch asked'): Promise<{
  folder: string;
  session: string;
  question: JsonObject;
}> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-late-answers-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const session = crypto.randomUUID();
  let ask: (question: JsonObject) => void = () => {};
  const asked = new Promise<JsonObject>((resolve) => {
    ask = resolve;
  });
  const agent = await driveAgent({
    folder,
    args: ['--session-id', session],
    onPermission: (question) => {
      ask(question);
      return new Promise(() => {});
    },
  });
  await agent.say(prompt);
  const question = await asked;
  agent.transport.kill('SIGKILL');
  await agent.transport.exited;
  return { folder, session, question };
}

/** Answer a question of an earlier run. */
function answer(agent: DrivenAgent, response: JsonObject): Promise<void> {
  return agent.peer.send({
    type: 'control_response',
    response: { subtype: 'success', request_id: 'of an earlier run', response },
  });
}

const resume = (folder: string, session: string, args: string[] = []) =>
  driveAgent({
    folder,
    args: ['--resume', session, ...args],
    onPermission: () => ({ behavior: 'deny', message: 'asked again' }),
  });

const kinds = (messages: readonly AgentMessage[]) => messages.map(({ type }) => type);

describe('an answer to a question of an earlier run', () => {
  it('[AG583] has the call made that it is for, and the conversation goes on from there', async () => {
    const { folder, session, question } = await killedWhileAsking();
    const agent = await resume(folder, session);
    await answer(agent, {
      behavior: 'allow',
      updatedInput: question.input,
      toolUseID: question.tool_use_id,
    });
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'success', permission_denials: [] });
    expect(existsSync(join(folder, 'asked'))).toBe(true);
    expect(kinds(agent.messages)).toEqual(['system', 'assistant', 'user', 'assistant', 'result']);
    await agent.say('say next');
    expect(await agent.next((message) => isResult(message) && 'result' in message, 5)).toMatchObject({
      result: 'next',
    });
    const { messages } = Object(agent.model.requests.at(-1)?.body);
    const results = JSON.stringify(messages).match(/"tool_result"/g);
    expect(results).toHaveLength(1);
    expect((await agent.finish()).code).toBe(0);
  });

  it('[AG583] that refuses is told to the model; a rule that denies is stronger than one that allows', async () => {
    const { folder, session, question } = await killedWhileAsking();
    const refused = await resume(folder, session, ['--fork-session']);
    await answer(refused, { behavior: 'deny', message: 'not that', toolUseID: question.tool_use_id });
    expect(await refused.next(isResult)).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
    expect(JSON.stringify(refused.model.requests.at(-1)?.body)).toContain('not that');
    const denied = await resume(folder, session, ['--disallowedTools', 'Bash(touch:*)']);
    await answer(denied, { behavior: 'allow', toolUseID: question.tool_use_id });
    expect(await denied.next(isResult)).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
    expect(existsSync(join(folder, 'asked'))).toBe(false);
  });

  it('[AG584] that is for no open call, or says nothing of a call, changes nothing', async () => {
    const { folder, session, question } = await killedWhileAsking();
    const agent = await resume(folder, session);
    await answer(agent, { behavior: 'allow', toolUseID: 'toolu_other' });
    await answer(agent, { behavior: 'allow' });
    await answer(agent, { behavior: 'perhaps', toolUseID: question.tool_use_id });
    await agent.peer.send({ type: 'control_response' });
    await agent.say('say on');
    await answer(agent, { behavior: 'allow', toolUseID: question.tool_use_id });
    expect((await agent.finish()).code).toBe(0);
    expect(agent.messages.filter(isResult)).toMatchObject([{ result: 'on' }]);
    expect(existsSync(join(folder, 'asked'))).toBe(false);
  });
});

describe('the short form of agents-ui', () => {
  it.each([
    [true, true],
    [false, false],
  ])('[AG585] answers a question: allow %s', async (allow, ran) => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-short-form-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    let ask: (requestId: string) => void = () => {};
    const asked = new Promise<string>((resolve) => {
      ask = resolve;
    });
    const agent = await driveAgent({
      folder,
      onPermission: (_question, { requestId }) => {
        ask(requestId);
        return new Promise(() => {});
      },
    });
    await agent.say('run touch asked');
    await agent.peer.send({
      type: 'control_response',
      request_id: await asked,
      permission: { allow },
    });
    expect(await agent.next(isResult)).toMatchObject({
      permission_denials: ran ? [] : [{ tool_name: 'Bash' }],
    });
    expect(existsSync(join(folder, 'asked'))).toBe(ran);
  });
});

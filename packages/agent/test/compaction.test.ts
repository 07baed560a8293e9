import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';

async function folderOfOwn(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-compaction-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function kinds(agent: DrivenAgent, from: number): string[] {
  return agent.messages.slice(from).map((message) => {
    const { type, subtype, status } = Object(message);
    return [type, subtype, status].filter(Boolean).join('/');
  });
}

async function transcriptOf(folder: string): Promise<Record<string, unknown>[]> {
  const projects = join(folder, '.claude', 'projects');
  const [file] = (await readdir(projects, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
  const text = await readFile(join(projects, file ?? ''), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function lastMessages(agent: DrivenAgent): { role: string; content: unknown }[] {
  return Object(agent.model.requests.at(-1)?.body).messages;
}

describe('compaction', () => {
  it('[CM1] puts a summary in the place of the conversation, in the order that hosts expect', async () => {
    const agent = await driveAgent();
    await agent.say('say the first thing');
    await agent.next(isResult);
    const from = agent.messages.length;
    await agent.say('/compact keep the names');
    const result = await agent.next(isResult, from);
    expect(kinds(agent, from)).toEqual([
      'system/status/compacting',
      'system/status',
      'system/init',
      'system/compact_boundary',
      'user',
      'user',
      'result/success',
    ]);
    expect(agent.messages.slice(from)).toMatchObject([
      {},
      { status: null },
      {},
      { compact_metadata: { trigger: 'manual', pre_tokens: expect.any(Number) } },
      { isSynthetic: true, message: { content: expect.stringContaining('is being continued from') } },
      { isReplay: true, message: { content: '<local-command-stdout>Compacted</local-command-stdout>' } },
      { result: '' },
    ]);
    expect(result).toMatchObject({ is_error: false });
    expect(JSON.stringify(agent.model.requests.at(-1)?.body)).toContain('keep the names');
  });

  it('[CM2] lets the conversation go on from the summary alone', async () => {
    const agent = await driveAgent();
    await agent.say('say the first thing');
    await agent.next(isResult);
    await agent.say('/compact');
    await agent.next(isResult, agent.messages.length);
    await agent.say('say the next thing');
    await agent.next((message) => message.type === 'result' && message.result === 'the next thing');
    const messages = lastMessages(agent);
    expect(messages).toHaveLength(2);
    expect(JSON.stringify(messages)).not.toContain('say the first thing');
    expect(JSON.stringify(messages[0])).toContain('scripted session');
  });

  it('[CM3] loses nothing of the transcript, and a resumed session begins with the summary', async () => {
    const folder = await folderOfOwn();
    const agent = await driveAgent({ folder });
    await agent.say('say the first thing');
    await agent.next(isResult);
    await agent.say('/compact');
    const { session_id: id } = Object(await agent.next(isResult, agent.messages.length));
    await agent.finish();
    const entries = await transcriptOf(folder);
    expect(JSON.stringify(entries)).toContain('say the first thing');
    expect(entries.find(({ subtype }) => subtype === 'compact_boundary')).toMatchObject({
      parentUuid: null,
      logicalParentUuid: expect.any(String),
      compactMetadata: { trigger: 'manual' },
    });
    const again = await driveAgent({ folder, args: ['--resume', String(id)] });
    await again.say('say on');
    await again.next(isResult);
    expect(JSON.stringify(lastMessages(again))).toContain('is being continued from');
    expect(JSON.stringify(lastMessages(again))).not.toContain('say the first thing');
  });

  it('[CM4] happens by itself before the model is full, in the middle of a turn too', async () => {
    const agent = await driveAgent({
      args: ['--dangerously-skip-permissions'],
      env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '1' },
    });
    await agent.say(`run echo ${'long '.repeat(12000)}`);
    await agent.next((message) => message.type === 'system' && message.subtype === 'compact_boundary');
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'success' });
    const boundary = agent.messages.find(
      (message) => message.type === 'system' && message.subtype === 'compact_boundary',
    );
    expect(boundary).toMatchObject({ compact_metadata: { trigger: 'auto' } });
  });

  it('[CM4] does not happen by itself where it is switched off', async () => {
    const agent = await driveAgent({
      args: ['--dangerously-skip-permissions'],
      env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '1', DISABLE_AUTO_COMPACT: '1' },
    });
    await agent.say(`run echo ${'long '.repeat(12000)}`);
    await agent.next(isResult);
    expect(kinds(agent, 0)).not.toContain('system/compact_boundary');
  });

  it('[CM5] is tried when the API says that the conversation is too long, and the turn goes on', async () => {
    const agent = await driveAgent();
    await agent.say('say the first thing');
    await agent.next(isResult);
    const from = agent.messages.length;
    agent.model.injectFault({
      kind: 'status',
      status: 400,
      message: 'prompt is too long: 200001 tokens > 200000',
    });
    await agent.say('say the second thing');
    expect(await agent.next(isResult, from)).toMatchObject({ is_error: false });
    expect(kinds(agent, from)).toContain('system/compact_boundary');
  });

  it('[CM6] that fails leaves the conversation as it was, and says why', async () => {
    const scenario = {
      name: 'no summary',
      background: [
        {
          when: { user: { matches: 'detailed summary' } },
          say: [{ fault: { kind: 'status' as const, status: 400, message: 'no' } }],
        },
      ],
      turns: [{ when: { user: { matches: '^say ([\\s\\S]+)$' } }, say: ['{{1}}'] }],
    };
    const agent = await driveAgent({ scenario });
    await agent.say('/compact');
    expect(await agent.next(isResult)).toMatchObject({
      is_error: true,
      errors: [expect.stringContaining('nothing to summarise')],
    });
    await agent.say('say the first thing');
    await agent.next(isResult, agent.messages.length);
    const from = agent.messages.length;
    await agent.say('/compact');
    expect(await agent.next(isResult, from)).toMatchObject({ is_error: true });
    expect(kinds(agent, from)).not.toContain('system/compact_boundary');
    await agent.say('say still here');
    await agent.next((message) => message.type === 'result' && message.result === 'still here');
    expect(JSON.stringify(lastMessages(agent))).toContain('say the first thing');
  });
});

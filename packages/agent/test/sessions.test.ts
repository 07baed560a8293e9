import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentMessage } from '@signalbox/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCommandLine } from '../src/command-line/agent-options.ts';
import { FileMemory } from '../src/tools/file-memory.ts';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';
import { replies, says } from './session/session-folder.ts';
import { openSite } from './tools/web-site.ts';

const TASK = { description: 'a part', subagent_type: 'general-purpose', prompt: 'say deep' };

const FAR = '5b02a388-55b8-4280-9c3b-e2a704c01cd5';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-sessions-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** One prompt, its result, and the end of the process. */
async function once(prompt: string, args: string[]): Promise<{ result: AgentMessage; agent: DrivenAgent }> {
  const agent = await driveAgent({ folder, args });
  await agent.say(prompt);
  const result = await agent.next(isResult);
  await agent.finish();
  return { result, agent };
}

function sessionOf(message: AgentMessage): string {
  return 'session_id' in message ? String(message.session_id) : '';
}

/** What the model was sent last, as text. */
function lastRequest(agent: DrivenAgent): string {
  return JSON.stringify(agent.model.requests.at(-1)?.body);
}

describe('sessions', () => {
  it('[AG25] --resume goes on under the same id, with all that was said', async () => {
    const first = await once('say one', []);
    const id = sessionOf(first.result);
    const second = await once('say two', ['--resume', id]);
    expect(sessionOf(second.result)).toBe(id);
    expect(lastRequest(second.agent)).toContain('say one');
    const third = await once('say three', ['--continue']);
    expect(sessionOf(third.result)).toBe(id);
    expect(lastRequest(third.agent)).toMatch(/say one.*say two.*say three/);
  });

  it('[AG25] --fork-session leaves the old session as it is', async () => {
    const first = await once('say one', []);
    const id = sessionOf(first.result);
    const fork = await once('say two', [`--resume=${id}`, '--fork-session']);
    expect(sessionOf(fork.result)).not.toBe(id);
    expect(lastRequest(fork.agent)).toContain('say one');
    const back = await once('say three', ['--resume', id]);
    expect(lastRequest(back.agent)).not.toContain('say two');
  });

  it('[SE671] a file that was read or written before a resume can be changed, unless it was changed since', async () => {
    for (const name of ['read', 'changed']) await writeFile(join(folder, name), 'one');
    const call = (tool: string, name: string, input = {}): string =>
      `call ${tool} ${JSON.stringify({ file_path: join(folder, name), ...input })}`;
    const args = ['--permission-mode', 'acceptEdits'];
    await once(call('Read', 'read'), args);
    for (const [tool, name] of [
      ['Read', 'changed'],
      ['Write', 'written'],
    ] as const)
      await once(call(tool, name, tool === 'Write' ? { content: 'one' } : {}), [...args, '--continue']);
    // Not in the same moment, whatever the clock of the disk is good for.
    await writeFile(join(folder, 'changed'), 'two');
    await utimes(join(folder, 'changed'), new Date(), new Date(Date.now() + 1000));
    const edit = { old_string: 'one', new_string: 'three' };
    for (const name of ['read', 'written', 'changed'])
      await once(call('Edit', name, edit), [...args, '--continue']);
    const contents = ['read', 'written', 'changed'].map((name) => readFile(join(folder, name), 'utf8'));
    expect(await Promise.all(contents)).toEqual(['three', 'three', 'two']);
    const { agent } = await once(call('Edit', 'changed', { ...edit, old_string: 'two' }), [
      ...args,
      '--continue',
    ]);
    expect(lastRequest(agent)).toContain('File has not been read yet');
  });

  it('[SE671] a file that was written in the millisecond in which that was noted can be changed', async () => {
    const path = join(await realpath(folder), 'quick');
    await writeFile(path, 'one');
    await utimes(path, 1_700_000_000, 1_700_000_000.0004);
    const files = new FileMemory();
    await files.recall([{ path, until: 1_700_000_000_000 }]);
    await files.assertFresh(path);
    const older = new FileMemory();
    await older.recall([{ path, until: 1_699_999_999_999 }]);
    await expect(older.assertFresh(path)).rejects.toThrow('has not been read yet');
  });

  it('[SE670] each block of a reply stands in the transcript with what the whole reply cost, and with the id of its request', async () => {
    const { agent, result } = await once('run echo hi', ['--allowedTools', 'Bash(echo:*)']);
    const [file = ''] = (await readdir(join(folder, '.claude/projects'), { recursive: true })).filter(
      (name) => name.endsWith(`${sessionOf(result)}.jsonl`),
    );
    const lines = (await readFile(join(folder, '.claude/projects', file), 'utf8')).trim().split('\n');
    const written = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'assistant');
    expect(written.map(({ message }) => message.stop_reason)).toEqual(['tool_use', 'tool_use', 'end_turn']);
    const [text, call, last] = written;
    expect(text.message.usage).toEqual(call.message.usage);
    expect(text.requestId).toBe(call.requestId);
    expect(last.requestId).not.toBe(call.requestId);
    const said = agent.messages.filter(({ type }) => type === 'assistant');
    expect(said.map((message) => 'request_id' in message && message.request_id)).toEqual(
      written.map(({ requestId }) => requestId),
    );
    // Whoever adds up takes each request once, as the usage of the turn does.
    const tokens = call.message.usage.output_tokens + last.message.usage.output_tokens;
    expect(result).toMatchObject({ usage: { output_tokens: tokens } });
  });

  it('[SE35] --session-mirror tells the host what is written to every transcript, before the result', async () => {
    const first = await once('say one', ['--session-mirror']);
    const fork = await once(`call Task ${JSON.stringify(TASK)}`, [
      '--session-mirror',
      '--resume',
      sessionOf(first.result),
      '--fork-session',
    ]);
    for (const { agent } of [first, fork]) {
      const told = new Map<string, unknown[]>();
      for (const message of agent.messages) {
        if (message.type !== 'transcript_mirror') continue;
        const entries = told.get(message.filePath) ?? [];
        told.set(message.filePath, [...entries, ...message.entries]);
      }
      expect(told.size).toBe(agent === first.agent ? 1 : 2);
      for (const [file, entries] of told) {
        const lines = (await readFile(file, 'utf8')).trim().split('\n');
        expect(entries).toEqual(lines.map((line) => JSON.parse(line)));
      }
      const types = agent.messages.map(({ type }) => type);
      expect(types.lastIndexOf('transcript_mirror')).toBeLessThan(types.lastIndexOf('result'));
    }
    const quiet = await once('say two', []);
    expect(quiet.agent.messages.some(({ type }) => type === 'transcript_mirror')).toBe(false);
  });

  it('[AG25] --session-id names the session, --no-session-persistence keeps nothing', async () => {
    const id = crypto.randomUUID();
    expect(sessionOf((await once('say one', ['--session-id', id])).result)).toBe(id);
    const [project = ''] = await readdir(join(folder, '.claude/projects'));
    expect(existsSync(join(folder, '.claude/projects', project, `${id}.jsonl`))).toBe(true);
    const other = crypto.randomUUID();
    await once('say two', ['--session-id', other, '--no-session-persistence']);
    expect(await readdir(join(folder, '.claude/projects', project))).toEqual([`${id}.jsonl`]);
  });

  it('[SE580] --fork-session and --resume-session-at work with a session that is fetched', async () => {
    const said = [
      says('u1', null, 'say one', { sessionId: FAR }),
      replies('a1', 'u1', 'one', { sessionId: FAR }),
      says('u2', 'a1', 'say two', { sessionId: FAR }),
      replies('a2', 'u2', 'two', { sessionId: FAR }),
    ];
    const site = await openSite((_request, response) => {
      response.end(said.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    });
    const cut = await once('say three', [
      '--resume',
      `${site.url}/t`,
      '--resume-session-at',
      'a1',
      '--fork-session',
    ]);
    expect(sessionOf(cut.result)).not.toBe(FAR);
    expect(lastRequest(cut.agent)).toContain('say one');
    expect(lastRequest(cut.agent)).not.toContain('say two');
    const whole = await once('say four', ['--teleport', `${site.url}/t`, '--fork-session']);
    expect(sessionOf(whole.result)).not.toBe(FAR);
    expect(lastRequest(whole.agent)).toContain('say two');
  });

  it('[SE700] --resume-drops-turn refuses to leave out more than the turn that it names', async () => {
    const agent = await driveAgent({ folder, args: ['--dangerously-skip-permissions'] });
    let id = '';
    const prompts = ['say one', 'run echo two', 'say three'].map((text) => ({
      text,
      uuid: crypto.randomUUID(),
    }));
    for (const { text, uuid } of prompts) {
      const mark = agent.messages.length;
      await agent.say(text, { uuid });
      id = sessionOf(await agent.next(isResult, mark));
    }
    await agent.finish();
    const said = agent.messages.filter(({ type }) => type === 'assistant').map(({ uuid }) => String(uuid));
    const resume = (at: string | undefined, turn: string): string[] => [
      `--resume=${id}`,
      '--fork-session',
      `--resume-session-at=${at}`,
      `--resume-drops-turn=${turn}`,
    ];
    const [, second = '', third = ''] = prompts.map(({ uuid }) => uuid);
    const kept = await once('say four', resume(said.at(-2), third));
    expect(kept.result).toMatchObject({ result: 'four' });
    expect(lastRequest(kept.agent)).toContain('echo two');
    expect(lastRequest(kept.agent)).not.toContain('say three');
    for (const [turn, why] of [
      [second, `not attributable to the declared turn; [type=user, uuid=${third}]`],
      [third, `range does not start with the declared turn prompt; first discarded prompt [uuid=${second}]`],
      ['none', 'declared turn id is not a UUID: none'],
    ] as const) {
      const refused = await driveAgent({ folder, args: resume(said[0], turn) });
      const result = await refused.next(isResult);
      expect(result).toMatchObject({
        subtype: 'error_during_execution',
        num_turns: 0,
        errors: [expect.stringMatching(/^Resume rejected by --resume-drops-turn: resuming at /)],
      });
      expect(JSON.stringify(result)).toContain(why);
      expect(await refused.transport.exited).toMatchObject({ code: 1 });
      expect(refused.model.requests).toEqual([]);
    }
    const alone = ['-p', '--resume', crypto.randomUUID(), '--resume-drops-turn', second, 'x'];
    expect(() => readCommandLine(alone)).toThrow('--resume-drops-turn requires --resume-session-at');
  });

  it('[SE581] what does not go together is refused in words, and nothing is loaded', () => {
    const id = crypto.randomUUID();
    for (const loading of [['--continue'], ['--teleport', id], []]) {
      expect(() => readCommandLine(['-p', ...loading, '--resume-session-at', id, 'x'])).toThrow(
        '--resume-session-at needs --resume',
      );
    }
    for (const loading of [['--continue'], ['--teleport', id], ['--resume', id]]) {
      expect(() => readCommandLine(['-p', ...loading, '--session-id', id, 'x'])).toThrow(
        '--session-id needs --fork-session',
      );
    }
    expect(readCommandLine(['-p', '--fork-session', 'x']).session.kind).toBe('new');
  });

  it('[AG25] a session that is not there is named, with exit code 1', async () => {
    const agent = await driveAgent({ folder, args: ['--resume', crypto.randomUUID()] });
    expect((await agent.transport.exited).code).toBe(1);
    expect(agent.transport.stderrTail).toContain('Looked in');
  });
});

describe('structured output', () => {
  const schema = JSON.stringify({
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
  });

  it('[AG26] is handed over in the result, after what does not fit was refused', async () => {
    const agent = await driveAgent({ folder, args: ['--json-schema', schema] });
    await agent.say('call StructuredOutput {"name":"zoe"}');
    expect(await agent.next(isResult)).toMatchObject({
      subtype: 'success',
      structured_output: { name: 'zoe' },
    });
    const after = agent.messages.length;
    await agent.say('call StructuredOutput {"name":1}');
    await agent.next(
      (message) => message.type === 'user' && JSON.stringify(message).includes('wrong input'),
      after,
    );
  });

  it('[AG680] ends the turn: it is the result as text too, and the model is not asked again', async () => {
    const agent = await driveAgent({ folder, args: ['--json-schema', schema] });
    await agent.say('call StructuredOutput {"name":"zoe"}');
    expect(await agent.next(isResult)).toMatchObject({
      result: '{"name":"zoe"}',
      structured_output: { name: 'zoe' },
      stop_reason: 'tool_use',
      num_turns: 2,
    });
    expect(agent.model.requests).toHaveLength(1);
    const after = agent.messages.length;
    await agent.say('call StructuredOutput {"name":"ada"}');
    expect(await agent.next(isResult, after)).toMatchObject({ structured_output: { name: 'ada' } });
  });

  it('[AG680] that a Stop hook holds back is given again, after what the hook asked for', async () => {
    const command = 'test -e looked && exit 0; echo look first >&2; exit 2';
    const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } };
    const agent = await driveAgent({
      folder,
      args: [
        '--json-schema',
        schema,
        '--settings',
        JSON.stringify(settings),
        '--dangerously-skip-permissions',
      ],
      scenario: {
        name: 'held',
        order: 'strict',
        turns: [
          { say: [{ tool: 'StructuredOutput', input: { name: 'zoe' } }] },
          { say: [{ tool: 'Bash', input: { command: 'touch looked' } }] },
          { say: [{ tool: 'StructuredOutput', input: { name: 'ada' } }] },
        ],
      },
    });
    await agent.say('begin');
    expect(await agent.next(isResult)).toMatchObject({ structured_output: { name: 'ada' } });
    expect(agent.model.requests).toHaveLength(3);
  });

  it('[AG26] is asked for again, and missed with a result of its own', async () => {
    const agent = await driveAgent({ folder, args: ['--json-schema', schema] });
    await agent.say('say nothing useful');
    expect(await agent.next(isResult)).toMatchObject({ subtype: 'error_max_structured_output_retries' });
    expect(agent.model.requests.length).toBe(6);
  });
});

describe('file checkpoints', () => {
  it('[AG27] take files back to what they were at a message, also after a restart', async () => {
    const env = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' };
    const args = ['--permission-mode', 'acceptEdits'];
    const path = join(folder, 'note.txt');
    await writeFile(path, 'before\n');
    const agent = await driveAgent({ folder, env, args });
    const uuid = crypto.randomUUID();
    await agent.say(`read ${path}`);
    await agent.next(isResult);
    const after = agent.messages.length;
    await agent.say(`write ${path} after`, { uuid });
    const result = await agent.next(isResult, after);
    expect(await readFile(path, 'utf8')).toBe('after');
    expect(
      await agent.peer.request({ subtype: 'rewind_files', user_message_id: uuid, dry_run: true }),
    ).toMatchObject({
      canRewind: true,
      filesChanged: [path],
    });
    await expect(agent.peer.request({ subtype: 'rewind_files', user_message_id: 'x' })).rejects.toThrow(
      'No file checkpoint found for this message.',
    );
    await agent.finish();
    const again = await driveAgent({ folder, env, args: [...args, '--resume', sessionOf(result)] });
    expect(await again.peer.request({ subtype: 'rewind_files', user_message_id: uuid })).toEqual({
      canRewind: true,
    });
    expect(await readFile(path, 'utf8')).toBe('before\n');
  });
});

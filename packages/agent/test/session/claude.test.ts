import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type ScriptedModel, startScriptedModel } from '@signalbox/model';
import { projectKey } from '@signalbox/protocol';
import {
  INSTALL_TIMEOUT_MS,
  REFERENCE_VERSIONS,
  type ReferenceVersion,
  referenceCli,
  referenceEnv,
} from '@signalbox/testing/reference-cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSessions } from '../../src/session/list-sessions.ts';
import { sessionPathsOf } from '../../src/session/session-paths.ts';
import type { SessionLog } from '../../src/session/transcript.ts';
import { call, type SessionFolder, sessionFolder } from './session-folder.ts';

/** A run takes seconds, on a machine that does nothing else. */
const RUN_TIMEOUT_MS = 240_000;
const run = promisify(execFile);

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ scenario: 'puppet' });
});
afterAll(() => model.close());

/** How the real CLI is run in a folder, with the home that our session is in. */
function placeOf({ cwd, root }: SessionFolder) {
  return {
    cwd,
    env: { ...referenceEnv(root, model.url), CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' },
    timeout: RUN_TIMEOUT_MS,
  };
}

/** Have the real CLI answer. It is not let go before its answer is in a transcript: on a busy machine it may leave without. */
async function claude(version: ReferenceVersion, folder: SessionFolder, ...args: string[]): Promise<string> {
  const content = args.at(-1) ?? '';
  const ways = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const child = spawn(await referenceCli(version), ['-p', ...ways, ...args.slice(0, -1)], {
    ...placeOf(folder),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
  let answer = '';
  for await (const line of createInterface(child.stdout)) {
    const message: { type?: string; result?: string } = JSON.parse(line);
    if (message.type !== 'result') continue;
    answer = message.result ?? '';
    await expect.poll(() => answersIn(folder), { timeout: RUN_TIMEOUT_MS }).toContain(answer);
    child.stdin.end();
  }
  await exited;
  return answer;
}

/** What assistants said, by all transcripts of a folder. */
async function answersIn({ sessionPaths }: SessionFolder): Promise<string[]> {
  const projects = join(sessionPaths.configDir, 'projects');
  const files = (await readdir(projects, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(join(projects, name), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}')))
    .map((line) => Object(JSON.parse(line)))
    .flatMap(({ type, message }) => (type === 'assistant' ? Object(message).content : []))
    .map((block) => String(Object(block).text));
}

/** What was in the conversation that the model was last asked to go on with; what the CLI adds of its own is not. */
function lastConversation(): string[] {
  const body: { messages?: { role: string; content: unknown }[] } = Object(
    model.requests.findLast(({ background }) => !background)?.body,
  );
  return (body.messages ?? [])
    .filter(({ role }) => role !== 'system')
    .flatMap(({ role, content }) =>
      (Array.isArray(content) ? content : [{ type: 'text', text: content }]).map((block) =>
        told(role, Object(block)),
      ),
    )
    .filter((line) => !line.includes('<system-reminder>'));
}

function told(role: string, block: Record<string, unknown>): string {
  if (block.type === 'tool_use') return `${role} calls ${String(block.id)}`;
  if (block.type === 'tool_result') return `${role} answers ${String(block.tool_use_id)}`;
  return `${role}: ${String(block.text ?? block.thinking)}`;
}

/** A turn of our own, with thinking and two calls side by side. */
function takeTurn(log: SessionLog, prompt: string): void {
  const reply = (...blocks: object[]): void => {
    const id = `msg_${crypto.randomUUID()}`;
    const usage = { input_tokens: 1, output_tokens: 1 };
    for (const block of blocks) {
      const message = {
        id,
        type: 'message',
        role: 'assistant',
        model: 'claude-test',
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage,
      };
      log.add({ type: 'assistant', message });
    }
  };
  log.add({ type: 'user', message: { role: 'user', content: prompt }, permissionMode: 'default' });
  reply({ type: 'text', text: 'let me look' }, call('toolu_1'), call('toolu_2'));
  for (const id of ['toolu_1', 'toolu_2']) {
    const content = [{ type: 'tool_result', tool_use_id: id, content: 'seen' }];
    log.add({ type: 'user', message: { role: 'user', content }, toolUseResult: 'seen' });
  }
  reply({ type: 'text', text: 'that is it' });
}

const OUR_TURN = [
  'user: our turn',
  'assistant: let me look',
  'assistant calls toolu_1',
  'assistant calls toolu_2',
  'user answers toolu_1',
  'user answers toolu_2',
  'assistant: that is it',
];

describe.each(REFERENCE_VERSIONS)('claude %s', (version) => {
  beforeAll(() => referenceCli(version).then(() => undefined), INSTALL_TIMEOUT_MS);

  it('[SE22] resumes, continues and forks our sessions', async () => {
    const folder = await sessionFolder();
    const { log, sessionId } = await folder.open();
    takeTurn(log, 'our turn');
    await log.flush();
    expect(await claude(version, folder, '--resume', sessionId, 'say resumed')).toBe('resumed');
    expect(lastConversation()).toEqual([...OUR_TURN, 'user: say resumed']);
    expect(await claude(version, folder, '--continue', '--fork-session', 'say forked')).toBe('forked');
    expect(lastConversation()).toEqual([
      ...OUR_TURN,
      'user: say resumed',
      'assistant: resumed',
      'user: say forked',
    ]);
  });

  it('[SE23] is resumed by us, and goes on after us', async () => {
    const folder = await sessionFolder();
    const file = join(folder.cwd, 'note.txt');
    await claude(version, folder, '--dangerously-skip-permissions', `write ${file} hello`);
    const [info] = await listSessions(folder.sessionPaths);
    expect(info).toMatchObject({ firstPrompt: `write ${file} hello`, cwd: folder.cwd });
    const ours = await folder.open({ resume: 'newest' });
    expect(ours.sessionId).toBe(info?.sessionId);
    expect(ours.loaded?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(ours.loaded?.permissionMode).toBe('bypassPermissions');
    expect(ours.loaded?.model).toMatch(/^claude-/);
    takeTurn(ours.log, 'our turn');
    await ours.log.flush();
    expect(await claude(version, folder, '--resume', ours.sessionId, 'say mine again')).toBe('mine again');
    const conversation = lastConversation();
    expect(conversation.slice(0, 2)).toEqual([`user: write ${file} hello`, 'assistant: ok']);
    expect(conversation.slice(-8)).toEqual([...OUR_TURN, 'user: say mine again']);
    const again = await folder.open({ resume: 'newest' });
    expect(again.loaded?.messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: [{ text: 'mine again' }],
    });
    expect(folder.problems).toEqual([]);
  });

  it('[SE26] and we rewind each other’s changes', async () => {
    const folder = await sessionFolder();
    const file = join(folder.cwd, 'note.txt');
    await claude(version, folder, '--dangerously-skip-permissions', `write ${file} theirs`);
    const { checkpoints, loaded, log, sessionId } = await folder.open({ resume: 'newest' });
    const theirs = loaded?.entries[0]?.uuid ?? '';
    const ours = log.add({ type: 'user', message: { role: 'user', content: 'change it' } });
    await checkpoints?.startTurn(ours);
    await checkpoints?.beforeFileChange(file);
    await writeFile(file, 'ours');
    log.add({
      type: 'assistant',
      message: { id: 'm', role: 'assistant', model: 'x', content: [{ type: 'text', text: 'done' }] },
    });
    await log.flush();
    const words = ['-p', '--resume', sessionId, '--rewind-files', ours];
    const rewinding = run(await referenceCli(version), words, placeOf(folder));
    rewinding.child.stdin?.end();
    await rewinding;
    expect(await readFile(file, 'utf8')).toBe('theirs');
    expect(await checkpoints?.rewind(theirs, { dryRun: true })).toEqual({
      canRewind: true,
      filesChanged: [file],
      insertions: 0,
      deletions: 1,
    });
    await checkpoints?.rewind(theirs);
    expect(await readdir(folder.cwd)).toEqual([]);
  });
});

describe('claude 2.1.325', () => {
  it('[SE1] names the folder of a long path as we do', async () => {
    const folder = await sessionFolder();
    const cwd = join(folder.cwd, 'a folder_é.'.repeat(10), 'b'.repeat(90));
    await mkdir(cwd, { recursive: true });
    await claude('2.1.325', { ...folder, cwd }, 'say hi');
    expect(await readdir(join(folder.sessionPaths.configDir, 'projects'))).toEqual([projectKey(cwd)]);
    expect(await listSessions(sessionPathsOf(cwd, {}, folder.root))).toHaveLength(1);
  });
});

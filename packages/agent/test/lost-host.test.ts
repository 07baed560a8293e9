import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '@signalbox/model';
import { projectKey } from '@signalbox/protocol';
import { isRunning } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentEnv, driveAgent, isResult } from './drive-agent.ts';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));

const LATE = { name: 'late', turns: [], fallback: { say: ['late'] } };

describe('a host', () => {
  it('[AG472] that closes stdout in the middle of a tool ends the agent, with all that it runs and one line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-lost-host-'));
    const model = await startScriptedModel({ scenario: 'puppet' });
    const flags = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    const agent = spawn(process.execPath, [AGENT, ...flags, '--dangerously-skip-permissions'], {
      cwd: folder,
      env: { ...agentEnv(folder, model.url), SIGNALBOX_TOOL_PROGRESS_MS: '50' },
    });
    onTestFinished(async () => {
      agent.kill('SIGKILL');
      await model.close();
      await rm(folder, { recursive: true, force: true });
    });
    let stderr = '';
    agent.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const content = 'run echo $$ > pid; sleep 1000 & echo $! >> pid; wait';
    agent.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
    for await (const line of createInterface({ input: agent.stdout }))
      if (JSON.parse(line).type === 'tool_progress') break;
    agent.stdout.destroy();
    const [code] = await once(agent, 'close');
    const pids = (await readFile(join(folder, 'pid'), 'utf8')).trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    // A signal that was sent may still be on its way when its sender is gone.
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The host reads no more \(.*\)\. What was running was ended\.\n$/);
  });

  it('[AG473] that gives its prompt no uuid can rewind to the one that its replay has', async () => {
    const agent = await driveAgent({
      args: ['--permission-mode', 'acceptEdits', '--replay-user-messages'],
      env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' },
    });
    await agent.say(`call Write ${JSON.stringify({ file_path: 'made', content: 'x' })}`);
    await agent.next(isResult);
    expect(await readFile(join(agent.folder, 'made'), 'utf8')).toBe('x');
    const replayed = agent.messages.find((message) => message.type === 'user' && message.isReplay === true);
    const { uuid } = Object(replayed);
    expect(await agent.peer.request({ subtype: 'rewind_files', user_message_id: uuid })).toMatchObject({
      canRewind: true,
    });
    await expect(readFile(join(agent.folder, 'made'))).rejects.toThrow('ENOENT');
  });

  it('[AG474] that sends an answered prompt again after a resume gets no second answer', async () => {
    const folder = await temporaryFolder();
    const session = crypto.randomUUID();
    const uuid = crypto.randomUUID();
    const first = await driveAgent({ folder, args: ['--session-id', session] });
    await first.say('say once', { uuid });
    await first.next(isResult);
    await first.finish();
    const second = await driveAgent({ folder, args: ['--resume', session] });
    await second.say('say once', { uuid });
    await second.say('say twice');
    await second.next(isResult);
    await second.finish();
    expect(second.messages.filter(isResult)).toMatchObject([{ result: 'twice' }]);
    expect(second.messages.find(({ type }) => type === 'user')).toMatchObject({ uuid, isReplay: true });
  });

  it('[AG474] that sends a prompt again which was recorded and never answered gets its answer', async () => {
    const folder = await temporaryFolder();
    const session = crypto.randomUUID();
    const uuid = crypto.randomUUID();
    const first = await driveAgent({ folder, args: ['--session-id', session] });
    const transcript = transcriptIn(folder, session);
    await first.say('slow 100000', { uuid });
    await first.next(({ type }) => type === 'system');
    while (!(await readFile(transcript, 'utf8').catch(() => '')).includes(uuid))
      await new Promise((resolve) => setImmediate(resolve));
    first.transport.kill('SIGKILL');
    await first.transport.exited;
    const second = await driveAgent({ folder, args: ['--resume', session], scenario: LATE });
    await second.say('slow 100000', { uuid });
    expect(await second.next(isResult)).toMatchObject({ is_error: false });
    const { messages } = Object(second.model.requests.at(-1)?.body);
    expect(messages.filter(({ role }: { role: string }) => role === 'user')).toHaveLength(1);
    await second.finish();
    const lines = (await readFile(transcript, 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line)).filter((entry) => entry.uuid === uuid)).toHaveLength(1);
  });
});

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-lost-host-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function transcriptIn(folder: string, session: string): string {
  return join(folder, '.claude/projects', projectKey(folder), `${session}.jsonl`);
}

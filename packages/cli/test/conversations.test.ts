import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from '@signalbox/testing/hub/test-parts';
import { processStat } from '@signalbox/transport/stdio';
import {
  type HubApi,
  HubStream,
  type HubStreamOptions,
  type Prompt,
  type PromptContent,
} from 'signalbox/hub';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { PromptRun, RUN_CODE } from '../src/run/prompt-run.ts';
import { runningConversations } from '../src/up/stored-conversations.ts';
import { HubStage } from './hub-stage.ts';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));

/** A conversation that was held in a terminal, without a hub. */
async function talk(stage: HubStage, prompt: string): Promise<string> {
  const words = [AGENT, '-p', '--output-format', 'json', prompt];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    env: stage.env,
    cwd: stage.project,
  });
  return JSON.parse(stdout).session_id;
}

/** What `claude` notes about a process that has a conversation open. */
function note(folder: string, pid: number, sessionId: string, procStart: string): void {
  mkdirSync(join(folder, 'sessions'), { recursive: true });
  writeFileSync(join(folder, 'sessions', `${pid}.json`), JSON.stringify({ pid, sessionId, procStart }));
}

/** Tells that a prompt is taken once its session's agent has ended. */
class LateWatchStream extends HubStream {
  readonly #api: HubApi;

  constructor(api: HubApi, options: HubStreamOptions) {
    super(options);
    this.#api = api;
  }

  override async prompt(session: string, content: PromptContent): Promise<Prompt> {
    const prompt = await super.prompt(session, content);
    await until(async () => (await this.#api.session(session)).state === 'exited');
    return prompt;
  }
}

/** What a run notes whose agent could not be started, before the run has begun to watch the session. */
async function refusedBeforeWatched(stage: HubStage, session: string): Promise<string> {
  const notes: string[] = [];
  const stream = new LateWatchStream(stage.api, { url: stage.url, token: stage.token, WebSocket });
  onTestFinished(() => stream.close());
  const ignored = (): void => {};
  const run = new PromptRun(stage.api, stream, session, {
    onMessage: ignored,
    onPreview: ignored,
    onPermission: ignored,
    onNote: (text) => notes.push(text),
  });
  await run.start('say even more');
  expect(await run.ended).toBe(RUN_CODE.failed);
  return notes.join('\n');
}

describe('conversations that are there already', () => {
  it('[CL1401] are listed, and gone on with by run --resume, in their folder; a copy leaves them as they are', async () => {
    const stage = await HubStage.start();
    const id = await talk(stage, 'say once upon a time');
    const table = await stage.run('conversations');
    expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ID +TITLE/) });
    expect(table.stdout).toContain(id.slice(0, 8));
    const transcript = join(
      stage.home,
      '.claude',
      'projects',
      stage.project.replaceAll(/[^a-zA-Z0-9]/g, '-'),
      `${id}.jsonl`,
    );
    const before = readFileSync(transcript, 'utf8');
    const words = ['run', '--agent', 'signalbox-agent', '--resume', id.slice(0, 8)];
    const forked = await stage.run(...words, '--fork', '--folder', stage.project, 'say elsewhere');
    expect(forked).toMatchObject({ code: 0, stdout: 'elsewhere\n' });
    expect(readFileSync(transcript, 'utf8')).toBe(before);
    const resumed = await stage.run(...words, 'say the end');
    expect(resumed).toMatchObject({ code: 0, stdout: 'the end\n' });
    expect(readFileSync(transcript, 'utf8')).toContain('say the end');
    const { items } = await stage.api.conversations();
    const sessions = (await stage.api.sessions()).items;
    const taken = sessions.find(({ agentSession }) => agentSession === id);
    expect(taken).toMatchObject({ folder: stage.project });
    expect(items.find((item) => item.id === id)).toMatchObject({
      folder: stage.project,
      session: taken?.id,
    });
    const open = await stage.run(...words, 'say it twice');
    expect(open).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is open in session ${taken?.id}`),
    });
    const unknown = await stage.run('run', '--resume', 'ffffffff', 'say what?');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('begins with ffffffff') });
    const wrong = await stage.run('run', '--fork', 'say what?');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--resume') });
  });

  it('[LN1403] are not written to twice: one that claude has open elsewhere is refused, also to a prompt', async () => {
    const stage = await HubStage.start();
    const id = await talk(stage, 'say mine');
    const start = processStat(process.pid)?.startTime ?? '';
    const resume = { launch: { agent: 'signalbox-agent', folder: stage.project, resume: id } } as const;
    const { session } = await stage.api.createSession(resume);
    await stage.run('run', '--session', session.id, 'say ours');
    await stage.api.stop(session.id);
    note(join(stage.home, '.claude'), process.pid, id, start);
    await expect(stage.api.createSession(resume)).rejects.toThrow(`is open in process ${process.pid}`);
    const refused = await stage.run('run', '--session', session.id, 'say too much');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`process ${process.pid} of the hub's machine`),
    });
    expect(await refusedBeforeWatched(stage, session.id)).toContain(
      `process ${process.pid} of the hub's machine`,
    );
    // What a killed process left names one that is gone, or another one by now.
    note(join(stage.home, '.claude'), process.pid, id, '1');
    expect(await runningConversations(join(stage.home, '.claude'))).toEqual(new Map());
    const again = await stage.run('run', '--session', session.id, 'say at last');
    expect(again.code).toBe(0);
  });
});

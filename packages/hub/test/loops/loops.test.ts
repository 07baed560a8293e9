import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop, NewLoop } from '@signalbox/protocol/hub';
import { beginLoop, type Caller, hasEnded, loopThat, NotedFolder } from '@signalbox/testing/hub/loop-stage';
import {
  call as callHub,
  startTestHub,
  temporaryFolder,
  tokenFor,
  until,
} from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { LaunchStage } from '../launch/launch-stage.ts';
import { TestViewer } from '../live/test-viewer.ts';

describe('loops', () => {
  it('[LP1161] run a fresh agent for each iteration, in a session of its own, and tell what changed', async () => {
    const stage = await LaunchStage.open();
    execFileSync('git', ['init', '-q'], { cwd: stage.folder });
    const prompt = 'run echo x >> log';
    const call = callerOf(stage);
    const begun = await beginLoop(call, { ...agentIn(stage), prompt, maxIterations: 2, allowAll: true });
    expect(begun).toMatchObject({
      state: 'running',
      iteration: 0,
      spec: { title: prompt, keepSession: false },
    });
    const loop = await loopThat(call, begun.id, hasEnded);
    expect(loop).toMatchObject({
      end: 'done',
      reason: { code: 'all_iterations' },
      iteration: 2,
      changes: { files: 1, insertions: 2 },
    });
    const { body } = await stage.call('GET', `/api/loops/${loop.id}/iterations`);
    expect(body.items).toMatchObject([
      { number: 2, step: 'over', how: 'well', turns: 2, changes: { files: 1, insertions: 1 } },
      { number: 1, step: 'over', how: 'well', changes: { files: 1, insertions: 1 } },
    ]);
    const { items } = await stage.store.sessions.list();
    expect(items.map(({ title, loop: of, state }) => ({ title, of, state }))).toEqual([
      { title: `${prompt} · 2/2`, of: { id: loop.id, iteration: 2 }, state: 'exited' },
      { title: `${prompt} · 1/2`, of: { id: loop.id, iteration: 1 }, state: 'exited' },
    ]);
    expect(items.map(({ id }) => id)).toEqual(body.items.map(({ session }: { session: string }) => session));
    expect(readFileSync(join(stage.folder, 'log'), 'utf8')).toBe('x\nx\n');
    // What was compared is tidied away, and who allowed the calls is on record.
    await until(() => readdirSync(join(stage.home, 'loops')).length === 0);
    const audit = await stage.store.audit.list();
    expect(audit.items.filter(({ why }) => why === `loop ${loop.id}`)).toHaveLength(2);
  });

  it('[LP1162] end when the text is said, when the command is met, at the budget or at the last iteration', async () => {
    const stage = await LaunchStage.open();
    const run = async (loop: Partial<NewLoop>): Promise<Loop> => {
      const begun = { ...agentIn(stage), prompt: 'say all DONE now', ...loop };
      const { id } = await beginLoop(callerOf(stage), begun);
      return loopThat(callerOf(stage), id, hasEnded);
    };
    const [text, command, limit] = await Promise.all([
      run({ untilText: 'DONE' }),
      run({ untilCommand: 'echo >> checks; test "$(wc -l < checks)" -ge 2' }),
      run({ untilText: 'never said', maxIterations: 1 }),
    ]);
    expect(text).toMatchObject({ end: 'done', iteration: 1, reason: { code: 'until_text' } });
    expect(command).toMatchObject({ end: 'done', iteration: 2, reason: { code: 'until_command' } });
    expect(command.current).toMatchObject({ check: 'met', text: 'all DONE now' });
    expect(limit).toMatchObject({ end: 'limit', reason: { code: 'max_iterations' } });
    const { call, folder, launch } = await notingStage();
    for (const number of [1, 2]) folder.go(number);
    const { id } = await beginLoop(call, { launch, prompt: 'go', budgetUsd: 0.5, untilText: 'never' });
    expect(await loopThat(call, id, hasEnded)).toMatchObject({
      end: 'limit',
      iteration: 2,
      costUsd: 0.5,
      turns: 4,
      reason: { code: 'budget_usd' },
    });
  });

  it('[LP1163] are paused, changed, resumed and stopped by anybody who may drive, and two at once do no harm', async () => {
    const { call, folder, launch, store, hub } = await notingStage();
    const { id } = await beginLoop(call, { launch, prompt: 'first words', maxIterations: 5 });
    await folder.prompted(1);
    // Two people at once: whichever comes last counts, and none is refused.
    const acts = ['pause', 'pause', 'resume', 'pause'].map((act) => call('POST', `/api/loops/${id}/${act}`));
    expect((await Promise.all(acts)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await call('POST', `/api/loops/${id}/pause`)).body.state).toBe('pausing');
    folder.go(1);
    const paused = await loopThat(call, id, ({ state }) => state === 'paused');
    expect(paused).toMatchObject({ iteration: 1, reason: { message: 'Ada paused it.' } });
    const stale = await call('PATCH', `/api/loops/${id}`, { version: paused.version - 1, prompt: 'lost' });
    expect(stale).toMatchObject({ status: 409, body: { code: 'LOOP_CHANGED' } });
    const change = { version: paused.version, prompt: 'other words', maxIterations: 7 };
    expect((await call('PATCH', `/api/loops/${id}`, change)).body.spec).toMatchObject({ maxIterations: 7 });
    const watcher = await tokenFor(store, { scope: 'approve' });
    expect((await callHub(hub.url, watcher, 'POST', `/api/loops/${id}/resume`)).status).toBe(403);
    expect((await call('POST', `/api/loops/${id}/resume`)).body).toMatchObject({
      state: 'running',
      reason: null,
    });
    await folder.prompted(2);
    expect(folder.linesOf('prompts')).toEqual(['first words', 'other words']);
    expect((await call('POST', `/api/loops/${id}/stop`)).body.state).toBe('stopping');
    const end = await loopThat(call, id, hasEnded);
    expect(end).toMatchObject({ end: 'stopped', iteration: 2, reason: { message: 'Ada stopped it.' } });
    expect(end.current).toMatchObject({ how: 'interrupted' });
    expect((await store.sessions.get(end.current?.session ?? ''))?.state).toBe('exited');
    for (const act of ['pause', 'resume', 'stop'])
      expect((await call('POST', `/api/loops/${id}/${act}`)).body.code).toBe('LOOP_ENDED');
    expect((await call('DELETE', `/api/loops/${id}`)).status).toBe(200);
    expect((await call('GET', `/api/loops/${id}`)).status).toBe(404);
  });

  it('[AP3321] launch their agents with a profile, and one that is not there is refused', async () => {
    const { call, folder, launch } = await notingStage();
    await call('POST', '/api/profiles', { name: 'work', variables: { SB_REGION: 'eu-7391' } });
    folder.go(1);
    const untilCommand = 'exit 1';
    const spec = { launch: { ...launch, profile: 'work' }, prompt: 'go', maxIterations: 1, untilCommand };
    const { id } = await beginLoop(call, spec);
    const end = await loopThat(call, id, hasEnded);
    expect(end.spec.launch).toMatchObject({ profile: 'work' });
    expect(folder.linesOf('regions')).toEqual(['eu-7391']);
    expect(JSON.stringify(end)).not.toContain('eu-7391');
    const unknown = await call('POST', '/api/loops', { ...spec, launch: { ...launch, profile: 'none' } });
    expect(unknown.body.code).toBe('PROFILE_NOT_FOUND');
  });

  it('[LP1164] keep one agent and one conversation where that is wanted', async () => {
    const { call, folder, launch, store } = await notingStage();
    for (const number of [1, 2, 3]) folder.go(number);
    const kept = { launch, prompt: 'go', maxIterations: 3, keepSession: true, title: 'kept' };
    const { id } = await beginLoop(call, kept);
    expect(await loopThat(call, id, hasEnded)).toMatchObject({ end: 'done', iteration: 3, costUsd: 0.75 });
    expect(folder.linesOf('runs')).toHaveLength(1);
    const { items } = await store.sessions.list();
    expect(items).toMatchObject([{ title: 'kept · 3/3', state: 'exited', loop: { id, iteration: 3 } }]);
  });

  it('[LP1165] read the prompt file each time, and say so when it vanishes or the folder does', async () => {
    const { call, folder, launch } = await notingStage();
    const promptFile = join(temporaryFolder(), 'PROMPT.md');
    writeFileSync(promptFile, 'first\n');
    const { id } = await beginLoop(call, { launch, promptFile });
    await folder.prompted(1);
    writeFileSync(promptFile, 'second\n');
    folder.go(1);
    await folder.prompted(2);
    rmSync(promptFile);
    folder.go(2);
    const end = await loopThat(call, id, hasEnded);
    expect(end).toMatchObject({ end: 'failed', iteration: 2, reason: { code: 'LOOP_PROMPT_FILE' } });
    expect(end.reason?.message).toContain(promptFile);
    expect(folder.linesOf('prompts')).toEqual(['first', 'second']);
    const gone = await beginLoop(call, { launch, prompt: 'third', pauseOnFailure: true });
    await folder.prompted(3);
    const moved = `${folder.path}-moved`;
    renameSync(folder.path, moved);
    new NotedFolder(moved).go(3);
    const paused = await loopThat(call, gone.id, ({ state }) => state === 'paused');
    expect(paused).toMatchObject({ iteration: 1, reason: { code: 'FOLDER_NOT_FOUND' } });
    renameSync(moved, folder.path);
    await call('POST', `/api/loops/${gone.id}/resume`);
    await folder.prompted(4);
    await call('POST', `/api/loops/${gone.id}/stop`);
    await loopThat(call, gone.id, hasEnded);
  });

  it('[LP1166] end after three agents that fail at once, with their words; or wait for a person after the first', async () => {
    const { call, folder, launch } = await notingStage('console.error("no licence here"); process.exit(3);');
    const { id } = await beginLoop(call, { launch, prompt: 'go', maxIterations: 50 });
    const end = await loopThat(call, id, hasEnded);
    expect(end).toMatchObject({ end: 'failed', iteration: 3, failuresInRow: 3 });
    expect(end.reason?.message).toContain('no licence here');
    const { id: waiting } = await beginLoop(call, { launch, prompt: 'go', pauseOnFailure: true });
    const paused = await loopThat(call, waiting, ({ state }) => state === 'paused');
    expect(paused).toMatchObject({ iteration: 1, reason: { code: 'turn_failed' } });
    const { body: stopped } = await call('POST', `/api/loops/${waiting}/stop`);
    expect(stopped).toMatchObject({ state: 'ended', end: 'stopped' });
    expect(folder.linesOf('prompts')).toEqual([]);
  });

  it('[LP1167] a command that hangs is killed after its time and fails its iteration, and a stop does not wait for it', async () => {
    const { call, folder, launch } = await notingStage();
    for (const number of [1, 2, 3, 4]) folder.go(number);
    const hanging = { launch, prompt: 'go', untilCommand: 'sleep 600', untilSeconds: 1 };
    const { id } = await beginLoop(call, hanging);
    const end = await loopThat(call, id, hasEnded);
    expect(end).toMatchObject({ end: 'failed', reason: { code: 'LOOP_CONDITION_TIMEOUT' }, iteration: 3 });
    const untilCommand = 'touch begun; sleep 600';
    const { id: stopped } = await beginLoop(call, { launch, prompt: 'go', untilCommand });
    await until(() => existsSync(join(folder.path, 'begun')));
    await call('POST', `/api/loops/${stopped}/stop`);
    expect(await loopThat(call, stopped, hasEnded)).toMatchObject({ end: 'stopped', iteration: 1 });
  });

  it('[LP1168] what a person stops by hand pauses the loop', async () => {
    const { call, folder, launch } = await notingStage();
    const { id } = await beginLoop(call, { launch, prompt: 'go' });
    await folder.prompted(1);
    const first = await loopThat(call, id, ({ current }) => current !== null);
    await call('POST', `/api/sessions/${first.current?.session}/control`, { subtype: 'interrupt' });
    const paused = await loopThat(call, id, ({ state }) => state === 'paused');
    expect(paused.reason?.code).toBe('interrupted');
    await call('POST', `/api/loops/${id}/resume`);
    await folder.prompted(2);
    const second = await loopThat(call, id, ({ iteration }) => iteration === 2);
    await call('POST', `/api/sessions/${second.current?.session}/stop`, {});
    const again = await loopThat(call, id, ({ state }) => state === 'paused');
    expect(again.current).toMatchObject({ number: 2, how: 'interrupted', text: 'Ada ended the agent.' });
    await call('POST', `/api/loops/${id}/stop`);
  });

  it('[LP1172] those who watch all sessions hear of every change, and act on loops by the stream', async () => {
    const { call, folder, launch, hub, store } = await notingStage();
    const viewer = await TestViewer.connect(hub.url, await tokenFor(store));
    await viewer.ask({ type: 'subscribe', session: '*' });
    const { id } = await beginLoop(call, { launch, prompt: 'go' });
    await viewer.find(({ type, loop }) => type === 'loop' && loop.id === id);
    await folder.prompted(1);
    const { result } = await viewer.ask({ type: 'loop', loop: id, act: 'stop' });
    expect(result).toMatchObject({ id, state: 'stopping' });
    await viewer.find(({ type, loop }) => type === 'loop' && loop.end === 'stopped');
    await call('DELETE', `/api/loops/${id}`);
    await viewer.find(({ type, loop }) => type === 'loop-removed' && loop === id);
    const refused = await viewer.ask({ type: 'loop', loop: id, act: 'pause' });
    expect(refused).toMatchObject({ type: 'error', code: 'STORE_NOT_FOUND' });
  });

  it('[LP1169][LP1520] what makes no sense, and who may not, is refused, and nothing is begun', async () => {
    const stage = await LaunchStage.open();
    const good: NewLoop = { ...agentIn(stage), prompt: 'say hi' };
    const { prompt: _, ...unsaid } = good;
    const cases: [object, number, string][] = [
      [{ ...good, maxIterations: 0 }, 400, 'REQUEST_INVALID'],
      [{ ...good, maxIterations: 1.5 }, 400, 'REQUEST_INVALID'],
      [{ ...good, maxIterations: 1001 }, 400, 'REQUEST_INVALID'],
      [{ ...good, budgetUsd: -1 }, 400, 'REQUEST_INVALID'],
      [{ ...good, untilSeconds: 3601 }, 400, 'REQUEST_INVALID'],
      [{ ...good, untilText: '' }, 400, 'REQUEST_INVALID'],
      [{ ...good, prompt: '  ' }, 400, 'REQUEST_INVALID'],
      [{ ...good, promptFile: '/etc/hostname' }, 400, 'REQUEST_INVALID'],
      [{ ...good, surprise: true }, 400, 'REQUEST_INVALID'],
      [unsaid, 400, 'REQUEST_INVALID'],
      [{ ...unsaid, promptFile: join(stage.folder, 'none.md') }, 422, 'LOOP_PROMPT_FILE'],
      [{ ...unsaid, promptFile: '/dev/zero' }, 422, 'LOOP_PROMPT_FILE'],
      [{ ...good, launch: { ...good.launch, folder: join(stage.folder, 'none') } }, 422, 'FOLDER_NOT_FOUND'],
      [{ ...good, launch: { ...good.launch, agent: 'claude' } }, 422, 'AGENT_NOT_FOUND'],
      [{ ...good, launch: { ...good.launch, mode: 'reckless' } }, 400, 'REQUEST_INVALID'],
    ];
    for (const [loop, status, code] of cases) {
      const answer = await stage.call('POST', '/api/loops', loop);
      expect({ loop, status: answer.status, code: answer.body.code }).toEqual({ loop, status, code });
    }
    const drive = await tokenFor(stage.store, { scope: 'drive' });
    const asDriver = async (loop: object): Promise<number> =>
      (await stage.call('POST', '/api/loops', loop, drive)).status;
    expect(await asDriver({ ...good, untilCommand: 'true' })).toBe(403);
    expect(await asDriver({ ...good, launch: { ...good.launch, mode: 'bypassPermissions' } })).toBe(403);
    const secret = join(stage.home, 'secret');
    writeFileSync(secret, 'the token of the machine');
    expect(await asDriver({ ...unsaid, promptFile: secret })).toBe(403);
    const bound = await tokenFor(stage.store, { session: 's' });
    expect((await stage.call('POST', '/api/loops', good, bound)).status).toBe(403);
    expect((await stage.call('GET', '/api/loops', undefined, bound)).status).toBe(403);
    expect((await stage.call('GET', '/api/loops')).body.items).toEqual([]);
    expect((await stage.call('GET', '/api/loops/none')).status).toBe(404);
    expect((await stage.call('POST', '/api/loops/none/pause')).status).toBe(404);
    const { id } = await beginLoop(callerOf(stage), { ...good, maxIterations: 1000 });
    const edited = await stage.call('PATCH', `/api/loops/${id}`, { untilCommand: 'true' }, drive);
    expect(edited.status).toBe(403);
    expect((await stage.call('PATCH', `/api/loops/${id}`, { promptFile: secret }, drive)).status).toBe(403);
    expect((await stage.call('DELETE', `/api/loops/${id}`)).body.code).toBe('LOOP_UNDER_WAY');
    expect((await stage.call('POST', '/api/loops', { ...good, id })).body.code).toBe('LOOP_EXISTS');
    await stage.call('POST', `/api/loops/${id}/stop`);
    await loopThat(callerOf(stage), id, hasEnded);
  });
});

function callerOf(stage: LaunchStage): Caller {
  return (method, path, body) => stage.call(method, path, body);
}

function agentIn({ folder }: LaunchStage): Pick<NewLoop, 'launch'> {
  return { launch: { agent: 'signalbox-agent', folder } };
}

/** A hub whose `claude` is one that notes what it is told, or runs this code. */
async function notingStage(code?: string) {
  const stage = await LaunchStage.open();
  const path = join(stage.home, 'noting-agent');
  if (code === undefined) NotedFolder.writeAgent(path);
  else writeFileSync(path, code);
  const version = (): Promise<string> => Promise.resolve('1');
  const command = [process.execPath, path];
  const agent = { name: 'claude', title: 'claude', command, path, why: null, version } as const;
  await stage.hub.close();
  const setup = { ...stage.setup, agents: () => [agent] };
  const { hub, store, token } = await startTestHub({ launch: setup });
  const folder = new NotedFolder(temporaryFolder());
  const call: Caller = (method, route, body) => callHub(hub.url, token, method, route, body);
  return { call, folder, hub, store, launch: { agent: 'claude', folder: folder.path } as const };
}

import { join } from 'node:path';
import type { LaunchSpec } from '@signalbox/protocol/hub';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { greetedThen, LaunchStage, running } from './launch-stage.ts';

describe('launch', () => {
  it('[LN1] runs the agent that is asked for as it is asked for, and brings its first prompt', async () => {
    const stage = await LaunchStage.open();
    const id = crypto.randomUUID();
    const spec = {
      model: 'claude-sonnet-4-5',
      mode: 'acceptEdits',
      tools: ['Read', 'Write'],
      prompt: 'say hi',
    };
    const session = await stage.launched(spec, { id, title: 'First' });
    expect(session).toMatchObject({ id, title: 'First', agent: 'signalbox-agent', folder: stage.folder });
    await until(async () => (await stage.resultsOf(id)).includes('hi'));
    const messages = await stage.messagesOf(id);
    const init = messages.find(({ subtype }) => subtype === 'init');
    expect(init).toMatchObject({
      session_id: id,
      cwd: stage.folder,
      model: spec.model,
      permissionMode: spec.mode,
      tools: spec.tools,
    });
    const [prompt] = messages.filter(({ type }) => type === 'user');
    expect(prompt.message.content).toBe('say hi');
    expect((await stage.store.sessions.get(id))?.agent).toBe('signalbox-agent');
  });

  it('[LN2] says why an agent did not start, with its last words, and keeps its session', async () => {
    const stage = await LaunchStage.open();
    const words = 'no licence for this machine';
    const failed = await stage.launch(running(`console.error('${words}'); process.exit(3)`), { id: 'dead' });
    expect(failed).toMatchObject({ status: 502, body: { code: 'AGENT_NOT_STARTED', session: 'dead' } });
    expect(failed.body.detail).toContain(words);
    expect((await stage.call('GET', '/api/sessions/dead')).body).toMatchObject({
      state: 'exited',
      exit: { code: 3, signal: null, stderr: `${words}\n` },
    });
    const nothing = join(stage.folder, 'nothing');
    const absent = await stage.launch({ agent: 'custom', command: [nothing] }, { id: 'absent' });
    expect(absent).toMatchObject({ status: 502, body: { code: 'AGENT_NOT_STARTED' } });
    expect(absent.body.detail).toContain('ENOENT');
    await until(async () => (await stage.stateOf('absent')) === 'exited');
    expect((await stage.store.sessions.get('absent'))?.exit?.stderr).toContain('ENOENT');
  });

  it('[LN3] makes no session of what cannot be run at all', async () => {
    const stage = await LaunchStage.open();
    const cases: [Partial<LaunchSpec>, number, string, string][] = [
      [{ agent: 'claude' }, 422, 'AGENT_NOT_FOUND', 'install it.'],
      [{ folder: join(stage.folder, 'nothing') }, 422, 'FOLDER_NOT_FOUND', 'is no folder'],
      [{ folder: '.' }, 422, 'FOLDER_NOT_FOUND', 'whole path'],
      [{ folder: '~nobody' }, 422, 'FOLDER_NOT_FOUND', 'Only ~ and ~/'],
      [{ agent: 'custom' }, 400, 'REQUEST_INVALID', 'takes a command'],
      [{ command: ['x'] }, 400, 'REQUEST_INVALID', 'takes a command'],
      [{ ...running(''), model: 'm' }, 400, 'REQUEST_INVALID', 'run as it is'],
      [{ mode: 'reckless' }, 400, 'REQUEST_INVALID', 'no permission mode'],
      [{ fork: true }, 400, 'REQUEST_INVALID', 'only what is resumed'],
      [{ resume: 'unknown' }, 409, 'NOTHING_TO_RESUME', 'unknown'],
    ];
    for (const [spec, status, code, words] of cases) {
      const { body, ...answer } = await stage.launch(spec);
      expect({ status: answer.status, code: body.code }).toEqual({ status, code });
      expect(body.detail).toContain(words);
    }
    expect((await stage.store.sessions.list()).items).toEqual([]);
    const other = await startTestHub();
    const launch = { ...running(''), folder: stage.folder };
    const refused = await call(other.hub.url, other.token, 'POST', '/api/sessions', { launch });
    expect(refused).toMatchObject({ status: 422, body: { code: 'AGENT_NOT_FOUND' } });
  });

  it('[LN4] lets those who drive run known agents, and only an admin run any program or ask nobody', async () => {
    const stage = await LaunchStage.open();
    const [drive, approve, bound] = await Promise.all([
      tokenFor(stage.store, { scope: 'drive' }),
      tokenFor(stage.store, { scope: 'approve' }),
      tokenFor(stage.store, { scope: 'drive', session: 'mine' }),
    ]);
    const free = [
      running(''),
      { args: ['--dangerously-skip-permissions'] },
      { env: { NODE_OPTIONS: '--require=x' } },
      { mode: 'bypassPermissions' },
    ];
    for (const spec of free) expect((await stage.launch(spec, {}, drive)).body.code).toBe('FORBIDDEN');
    expect((await stage.launch({}, {}, approve)).body.code).toBe('FORBIDDEN');
    expect((await stage.launch({}, { id: 'other' }, bound)).body.code).toBe('FORBIDDEN');
    // What is a value stays one: it cannot become an option of the agent.
    const sly = await stage.launch({ model: '--dangerously-skip-permissions', prompt: 'say x' }, {}, drive);
    expect(sly.status).toBe(201);
    const { id } = sly.body.session;
    const init = await until(async () =>
      (await stage.messagesOf(id)).find(({ subtype }) => subtype === 'init'),
    );
    expect(init).toMatchObject({ model: '--dangerously-skip-permissions', permissionMode: 'default' });
    for (const way of ['stop', 'restart'])
      expect((await stage.call('POST', `/api/sessions/${id}/${way}`, {}, approve)).status).toBe(403);
    expect((await stage.call('POST', `/api/sessions/${id}/stop`, {}, drive)).status).toBe(200);
  });

  it('[LN5] an agent that dies after it has started is an exited session with its last words', async () => {
    const stage = await LaunchStage.open();
    const code = `setTimeout(() => { console.error('out of steam'); process.exit(7); }, 500)`;
    const { id, state } = await stage.launched(greetedThen(code));
    expect(state).toBe('idle');
    await until(async () => (await stage.stateOf(id)) === 'exited');
    expect((await stage.store.sessions.get(id))?.exit).toEqual({
      code: 7,
      signal: null,
      stderr: 'out of steam\n',
    });
  });

  it('[LN6] goes on with a conversation, or a copy of it, by the name that the hub has for it', async () => {
    const stage = await LaunchStage.open();
    const first = await stage.launched();
    await stage.prompt(first.id, 'say platform nine');
    await stage.call('POST', `/api/sessions/${first.id}/stop`, {});
    const resumed = await stage.launched({ resume: first.id }, { id: 'resumed' });
    await stage.prompt(resumed.id, 'say on');
    const copy = await stage.launched({ resume: 'resumed', fork: true }, { id: 'copy' });
    await stage.prompt(copy.id, 'say further');
    const asked = stage.model.requests.at(-1)?.body;
    for (const words of ['platform nine', 'say on', 'say further'])
      expect(JSON.stringify(asked)).toContain(words);
    const own = async (id: string): Promise<string> =>
      (await stage.messagesOf(id)).find(({ subtype }) => subtype === 'init').session_id;
    expect(await own('resumed')).toBe(first.id);
    expect(await own('copy')).not.toBe(first.id);
    const elsewhere = await tokenFor(stage.store, { scope: 'drive', session: 'mine' });
    const stolen = await stage.launch({ resume: first.id }, { id: 'mine' }, elsewhere);
    expect(stolen.body.code).toBe('FORBIDDEN');
  });

  it('[LN7] lists the agents of the machine, and why one cannot be launched', async () => {
    const stage = await LaunchStage.open();
    const watcher = await tokenFor(stage.store, { scope: 'watch' });
    const { body } = await stage.call('GET', '/api/agents', undefined, watcher);
    expect(body.items).toEqual([
      {
        name: 'claude',
        title: 'claude',
        path: null,
        version: null,
        isAvailable: false,
        why: 'install it.',
        view: 'sdk',
      },
      {
        name: 'signalbox-agent',
        title: 'signalbox-agent',
        path: expect.stringContaining('signalbox-agent.js'),
        version: '1.2.3',
        isAvailable: true,
        why: null,
        view: 'sdk',
      },
    ]);
  });

  it('[LN8] shows nobody the variables that an agent was given', async () => {
    const stage = await LaunchStage.open();
    const secret = 'do-not-tell-0123456789';
    const spec = { ...greetedThen(`console.error(process.env.SECRET.length)`), env: { SECRET: secret } };
    const { id } = await stage.launched(spec);
    const paths = ['', '/events', '/prompts'].map((path) => `/api/sessions/${id}${path}`);
    for (const path of [...paths, '/api/sessions', `/api/audit?session=${id}`])
      expect(JSON.stringify((await stage.call('GET', path)).body)).not.toContain(secret);
    await stage.call('POST', `/api/sessions/${id}/stop`, {});
    expect((await stage.store.sessions.get(id))?.exit?.stderr).toBe(`${secret.length}\n`);
  });
});

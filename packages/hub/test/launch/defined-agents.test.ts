import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Session } from '@signalbox/protocol/hub';
import { freePort } from '@signalbox/testing/free-port';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { endTerminals, SeenTerminal } from '@signalbox/testing/hub/terminal-stage';
import { type Answer, call, startModel, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { endProcess } from '@signalbox/testing/is-running';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBridges } from '../../src/bridge/find-bridges.ts';

const AGENT = fileURLToPath(new URL('../../../../dist/signalbox-agent.js', import.meta.url));
const SECRET = 'sk-very-secret-55555';

/** A screen of its own, for somebody who types a word; a wrong word ends it with 3. */
const SCREEN = `printf 'Screen of %s> ' "$WHO"; read word; [ "$word" = wrong ] && { echo bad words; exit 3; }; echo "got-$word"; exec sleep 1000`;

/** A hub whose `config.json` defines an agent of each mode. */
class DefinedStage {
  readonly home = temporaryFolder();
  readonly folder = temporaryFolder();
  readonly #port: number;
  #up: ReturnType<typeof runUp> | undefined;
  log = '';

  private constructor(port: number, agents: object) {
    this.#port = port;
    writeFileSync(join(this.home, 'config.json'), JSON.stringify({ agents }));
    onTestFinished(async () => {
      await endTerminals(this.home);
      for (const { pid, state } of await findBridges(this.home)) if (state === 'running') endProcess(pid);
    });
  }

  static async open(): Promise<DefinedStage> {
    const model = await startModel();
    const key = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: SECRET };
    const stage = new DefinedStage(await freePort(), {
      puppet: { title: 'The puppet', command: [process.execPath, AGENT, '--verbose'], env: key },
      screen: { command: ['sh', '-c', SCREEN], mode: 'terminal', env: { WHO: 'mine', KEY: SECRET } },
    });
    await stage.start();
    return stage;
  }

  async start(): Promise<void> {
    const words = [...UP.map((word) => (word === '0' ? String(this.#port) : word)), '--log', 'debug'];
    const up = runUp(words, this.home);
    this.#up = up;
    await until(() => up.output().includes('is up at'));
  }

  async kill(): Promise<void> {
    this.#up?.child.kill('SIGKILL');
    await this.#up?.exited;
    this.log += this.#up?.errors() ?? '';
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get token(): string {
    return readFileSync(join(this.home, 'token'), 'utf8').trim();
  }

  call(method: string, path: string, body?: unknown, token = this.token): Promise<Answer> {
    return call(this.url, token, method, path, body);
  }

  async tokenFor(scope: string): Promise<string> {
    const grant = { person: 'Dee', name: 'phone', scope };
    return (await this.call('POST', '/api/devices', grant)).body.token;
  }

  launch(agent: string, more: object = {}, token?: string): Promise<Answer> {
    return this.call(
      'POST',
      '/api/sessions',
      { id: agent, launch: { agent, folder: this.folder, ...more } },
      token,
    );
  }

  becomes(id: string, facts: Partial<Session>): Promise<Session> {
    return until(async () => {
      const { body } = await this.call('GET', `/api/sessions/${id}`);
      return Object.entries(facts).every(([name, value]) => body[name] === value) ? body : undefined;
    });
  }

  view(number: number): SeenTerminal {
    return new SeenTerminal({ url: this.url, token: this.token, session: 'screen', number });
  }
}

describe('agents that config.json defines', () => {
  it('[AP1811] are listed and launched by name by who may drive, with their variables, which nobody is shown', async () => {
    const stage = await DefinedStage.open();
    const { items } = (await stage.call('GET', '/api/agents')).body;
    expect(items.slice(3)).toMatchObject([
      {
        name: 'puppet',
        title: 'The puppet',
        path: process.execPath,
        isAvailable: true,
        view: 'sdk',
        version: null,
      },
      { name: 'screen', title: 'screen', isAvailable: true, view: 'terminal' },
    ]);
    const drive = await stage.tokenFor('drive');
    expect((await stage.launch('nobody', {}, drive)).body).toMatchObject({
      code: 'AGENT_NOT_FOUND',
      detail: expect.stringContaining('puppet, screen'),
    });
    expect((await stage.launch('puppet', { env: { A: 'b' } }, drive)).status).toBe(403);
    expect((await stage.launch('puppet', { prompt: 'say hello' }, drive)).body).toMatchObject({
      session: { agent: 'The puppet', view: 'sdk' },
    });
    const said = async (): Promise<string> =>
      JSON.stringify((await stage.call('GET', '/api/sessions/puppet/events?limit=100')).body);
    await until(async () => (await said()).includes('"result":"hello"'));
    // It goes on with its conversation, as the agents do that Signalbox brings.
    expect((await stage.call('POST', '/api/sessions/puppet/restart')).status).toBe(200);
    await stage.becomes('puppet', { state: 'idle' });
    await stage.call('POST', '/api/sessions/puppet/stop');
    expect((await stage.launch('screen', {}, drive)).status).toBe(201);
    await stage.becomes('screen', { state: 'terminal' });
    const shown = await Promise.all(
      [
        '/api/agents',
        '/api/sessions',
        '/api/audit',
        '/api/sessions/screen/terminals',
        '/api/sessions/puppet/export',
      ].map(async (path) => JSON.stringify(await stage.call('GET', path))),
    );
    await stage.kill();
    for (const text of [...shown, filesOf(stage.home), stage.log]) expect(text).not.toContain(SECRET);
    expect(stage.log).toContain('"what":"launch"');
  });

  it('[AP2550] are defined, changed and taken away by who may do everything, at once and without a value in sight', async () => {
    const stage = await DefinedStage.open();
    const path = '/api/agent-definitions';
    const drive = await stage.tokenFor('drive');
    const said = ['sh', '-c', 'printf "%s says" "$WHO"; exec sleep 1000'];
    const made = { name: 'made', title: 'Made here', command: said, mode: 'terminal', env: { WHO: SECRET } };
    expect((await stage.call('POST', path, made, drive)).status).toBe(403);
    expect((await stage.call('GET', path, undefined, drive)).status).toBe(403);
    const { body: shown } = await stage.call('POST', path, made);
    const facts = { name: 'made', title: 'Made here', command: said, mode: 'terminal', why: null };
    expect(shown).toEqual({ ...facts, variables: ['WHO'] });
    const refused = [
      [{ ...made, name: 'claude' }, 'is the name of an agent that Signalbox brings'],
      [{ ...made, command: ['./here'] }, 'begins with a name in PATH'],
      [{ ...made, env: { 'A=B': SECRET } }, 'an object of texts'],
      [{ ...made, env: { A: `${SECRET}\0` } }, 'an object of texts'],
      [{ ...made, shell: true }, 'shell'],
    ] as const;
    for (const [body, words] of refused)
      expect((await stage.call('POST', path, body)).body).toMatchObject({
        code: 'REQUEST_INVALID',
        detail: expect.stringContaining(words),
      });
    // It runs with its variable, and others are left as they are by a change.
    expect((await stage.launch('made', {}, drive)).status).toBe(201);
    await new SeenTerminal({ url: stage.url, token: stage.token, session: 'made', number: 1 }).shows(
      `${SECRET} says`,
    );
    const changed = await stage.call('POST', path, {
      name: 'made',
      command: ['no-such-program'],
      env: { NEW: 'x' },
    });
    expect(changed.body).toMatchObject({
      title: 'made',
      mode: 'sdk',
      variables: ['NEW', 'WHO'],
      why: expect.stringContaining("not in the hub's PATH"),
    });
    const { body: left } = await stage.call('DELETE', `${path}/made`);
    expect(left).toMatchObject({ name: 'made', why: null });
    expect((await stage.call('DELETE', `${path}/made`)).body.code).toBe('AGENT_NOT_FOUND');
    expect((await stage.launch('made')).body.code).toBe('AGENT_NOT_FOUND');
    expect((await stage.becomes('made', { state: 'terminal' })).agent).toBe('Made here');
    const { body: list } = await stage.call('GET', path);
    expect(list.items.map(({ name }: { name: string }) => name)).toEqual(['puppet', 'screen']);
    const { body: audit } = await stage.call('GET', '/api/audit');
    const told = audit.items.filter(({ what }: { what: string }) => /(define|remove) agent/.test(what));
    expect(told.map(({ what, subject }: { what: string; subject: string }) => [what, subject])).toEqual([
      ['remove agent', 'made'],
      ['define agent', 'made: no-such-program, NEW'],
      ['define agent', 'made: sh, WHO'],
    ]);
    await stage.kill();
    for (const text of [JSON.stringify([shown, changed, left, list, audit]), stage.log])
      expect(text).not.toContain(SECRET);
    expect(JSON.parse(readFileSync(join(stage.home, 'config.json'), 'utf8')).agents).toHaveProperty('puppet');
  });

  it('[VW1812] with nothing but a screen begin in a terminal and stay there, outlive the hub, and can be started again', async () => {
    const stage = await DefinedStage.open();
    expect((await stage.launch('screen', { prompt: 'x', model: 'y' })).body).toMatchObject({
      code: 'AGENT_TERMINAL_ONLY',
      detail: expect.stringContaining('it takes no prompt, model'),
    });
    expect((await stage.launch('screen')).body.session).toMatchObject({
      state: 'terminal',
      view: 'terminal-only',
    });
    const view = stage.view(1);
    await view.shows('Screen of mine>');
    const refused = [
      ['/api/sessions/screen/prompts', { clientId: 'a', content: 'x' }],
      ['/api/sessions/screen/view', { view: 'sdk' }],
      ['/api/sessions/screen/restart', undefined],
      ['/api/loops', { prompt: 'x', launch: { agent: 'screen', folder: stage.folder } }],
    ] as const;
    for (const [path, body] of refused)
      expect({ path, body: (await stage.call('POST', path, body)).body }).toMatchObject({
        path,
        body: { code: 'AGENT_TERMINAL_ONLY' },
      });
    await stage.kill();
    await stage.start();
    await stage.becomes('screen', { state: 'terminal', view: 'terminal-only' });
    await view.type('right\r');
    await view.shows('got-right');
    expect((await stage.call('POST', '/api/sessions/screen/stop')).body).toMatchObject({
      state: 'exited',
      view: 'terminal-only',
    });
    expect((await stage.call('POST', '/api/sessions/screen/restart')).status).toBe(200);
    const again = stage.view(2);
    await again.shows('Screen of mine>');
    // Its definition may be gone by the time that it ends.
    await stage.kill();
    writeFileSync(join(stage.home, 'config.json'), '{}');
    await stage.start();
    // It ends by itself: why, is in what it wrote.
    await again.type('wrong\r');
    const { exit } = await stage.becomes('screen', { state: 'exited' });
    expect(exit).toMatchObject({ code: 3, stderr: expect.stringContaining('bad words') });
    expect((await stage.call('POST', '/api/sessions/screen/restart')).body.code).toBe('AGENT_NOT_FOUND');
    expect((await stage.call('GET', '/api/sessions/screen/events')).body.entries).toEqual([]);
    expect((await stage.call('DELETE', '/api/sessions/screen')).status).toBe(200);
  });
});

/** What a home has in its files, but for `config.json` itself. */
function filesOf(home: string): string {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'config.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

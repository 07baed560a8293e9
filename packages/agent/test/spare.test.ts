import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';

interface Spare extends DrivenAgent {
  home: string;
  /** The folder of the session; the agent waits beside it. */
  project: string;
  claim(fields?: JsonObject): Promise<JsonObject>;
  ask(subtype: string, fields?: JsonObject): Promise<JsonObject>;
}

/** An agent that waits to be claimed, in a folder with these files around it. */
async function spare(
  files: Record<string, string> = {},
  options: { args?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<Spare> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-spare-test-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const folder = join(root, 'parked');
  const project = join(root, 'project');
  for (const path of [home, folder, project]) await mkdir(path);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const agent = await driveAgent({
    folder,
    args: ['--await-claim', ...(options.args ?? [])],
    env: { HOME: home, SIGNALBOX_TRUST_PROJECT: '1', ...options.env },
  });
  const ask = (subtype: string, fields: JsonObject = {}) => agent.peer.request({ subtype, ...fields });
  const claim = (fields: JsonObject = {}) => ask('claim_session', { cwd: project, ...fields });
  return { ...agent, home, project, ask, claim };
}

async function answerTo(agent: DrivenAgent, prompt: string): Promise<JsonObject> {
  const mark = agent.messages.length;
  await agent.say(prompt);
  return { ...(await agent.next(isResult, mark)) };
}

function initOf({ messages }: DrivenAgent): JsonObject {
  return { ...messages.findLast((said) => said.type === 'system' && said.subtype === 'init') };
}

function lastRequest({ model }: DrivenAgent): JsonObject {
  return { ...Object(model.requests.findLast(({ background }) => !background)?.body) };
}

describe('an agent that waits to be claimed', () => {
  it('[AG870] becomes a session of the folder that it is claimed for, with nothing of the one where it waited', async () => {
    const agent = await spare({
      'parked/CLAUDE.md': 'of the place to wait',
      'parked/.claude/commands/parked.md': 'nothing',
      'project/CLAUDE.md': 'of the session',
      'project/.claude/commands/claimed.md': 'something',
      'project/.claude/settings.json': JSON.stringify({
        model: 'haiku',
        env: { FROM_FOLDER: 'yes' },
        permissions: { allow: ['Bash(printenv:*)'], defaultMode: 'acceptEdits' },
      }),
    });
    const offer = await agent.ask('initialize');
    expect(JSON.stringify(offer.commands)).toContain('"parked"');
    const claimed = await agent.claim({ include_initialize: true });
    expect(claimed).toMatchObject({
      status: 'ok',
      cwd: agent.project,
      parked_ms: expect.any(Number),
      sdk_mcp_settled: true,
      initialize: { current_permission_mode: 'acceptEdits', pid: agent.transport.pid },
    });
    expect(JSON.stringify(claimed.initialize)).toContain('"claimed"');
    expect(JSON.stringify(claimed.initialize)).not.toContain('"parked"');
    expect(await answerTo(agent, 'run printenv FROM_FOLDER PWD')).toMatchObject({
      result: expect.stringContaining(`yes\n${agent.project}`),
      session_id: claimed.session_id,
    });
    expect(initOf(agent)).toMatchObject({ cwd: agent.project, model: expect.stringContaining('haiku') });
    expect(JSON.stringify(lastRequest(agent))).toContain('of the session');
    expect(JSON.stringify(lastRequest(agent))).not.toContain('place to wait');
    await agent.finish();
    const projects = join(agent.home, '.claude/projects');
    expect(await readdir(projects)).toEqual([agent.project.replaceAll(/[^a-zA-Z0-9]/g, '-')]);
  });

  it('[AG870] starts no servers and runs no hooks before the claim, and then those of the session', async () => {
    const note = (what: string): string => `echo ${what} $PWD >> $HOME/log`;
    const agent = await spare({
      'home/.claude.json': JSON.stringify({
        mcpServers: { noting: { command: 'sh', args: ['-c', `${note('server')}; cat`] } },
      }),
      'home/.claude/settings.json': JSON.stringify({
        hooks: { SessionStart: [{ hooks: [{ type: 'command', command: note('hook') }] }] },
      }),
    });
    await agent.ask('initialize');
    expect(await agent.ask('mcp_status')).toEqual({ mcpServers: [] });
    expect(await readdir(agent.home)).not.toContain('log');
    await agent.claim();
    await answerTo(agent, 'say hi');
    const log = (await readFile(join(agent.home, 'log'), 'utf8')).trim().split('\n');
    expect(log.toSorted()).toEqual([`hook ${agent.project}`, `server ${agent.project}`]);
  });

  it('[AG871] takes what the claim carries, on top of what was said while it waited', async () => {
    const agent = await spare({ 'beside/file': 'text' }, { args: ['--model', 'opus'] });
    await agent.ask('initialize', {
      appendSystemPrompt: 'said at the start',
      agents: { first: { description: 'd', prompt: 'p' } },
      sdkMcpServers: ['left-out'],
    });
    await agent.ask('set_model', { model: 'haiku' });
    await agent.ask('set_permission_mode', { mode: 'plan' });
    await agent.ask('apply_flag_settings', { settings: { effortLevel: 'low', env: { SET: 'by settings' } } });
    await agent.peer.send({ type: 'update_environment_variables', variables: { TOLD: 'by the host' } });
    const { session_id: id } = await agent.claim({
      permission_mode: 'acceptEdits',
      append_system_prompt: 'said with the claim',
      agents: { second: { description: 'd', prompt: 'p' } },
      title: ' A name ',
      env: { CLAUDE_CODE_HOST_SESSION_ID: 'mine' },
      additional_directories: ['../beside', 'not-there'],
      sdk_mcp_servers: [],
    });
    await agent.ask('apply_flag_settings', { settings: { permissions: { allow: ['Bash(printenv:*)'] } } });
    expect(await answerTo(agent, 'run printenv SET TOLD CLAUDE_CODE_HOST_SESSION_ID')).toMatchObject({
      result: expect.stringContaining('by settings\nby the host\nmine'),
    });
    expect(initOf(agent)).toMatchObject({
      permissionMode: 'acceptEdits',
      model: expect.stringContaining('haiku'),
      agents: expect.arrayContaining(['first', 'second']),
      mcp_servers: [],
    });
    const request = lastRequest(agent);
    expect(request).toMatchObject({ output_config: { effort: 'low' } });
    expect(JSON.stringify(request)).toContain('said with the claim');
    expect(JSON.stringify(request)).not.toContain('said at the start');
    expect(await answerTo(agent, `write ${join(agent.project, '../beside/new')} text`)).toMatchObject({
      permission_denials: [],
    });
    await agent.finish();
    const key = agent.project.replaceAll(/[^a-zA-Z0-9]/g, '-');
    const transcript = join(agent.home, '.claude/projects', key, `${String(id)}.jsonl`);
    expect(await readFile(transcript, 'utf8')).toContain('"customTitle":"A name"');
  });

  it('[AG871] connects the servers that live in its host once it is claimed, and says that they are not settled', async () => {
    const agent = await spare();
    const called: string[] = [];
    agent.peer.handle('mcp_message', ({ server_name, message }) => {
      const { id, method, params } = Object(message);
      called.push(`${String(server_name)} ${String(method)}`);
      const info = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} } };
      const result =
        method === 'initialize'
          ? { ...info, serverInfo: { name: 's', version: '1' } }
          : { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] };
      return { mcp_response: { jsonrpc: '2.0', id, result } };
    });
    await agent.ask('initialize', { sdkMcpServers: ['inside'] });
    expect(called).toEqual([]);
    expect(await agent.claim()).toMatchObject({ sdk_mcp_settled: false });
    await answerTo(agent, 'say hi');
    expect(called).toContain('inside initialize');
    expect(initOf(agent)).toMatchObject({ tools: expect.arrayContaining(['mcp__inside__ping']) });
  });

  it('[AG872] refuses by name what it cannot be, hears the next claim, and is claimed once', async () => {
    const disabled = { permissions: { disableBypassPermissionsMode: 'disable' } };
    const agent = await spare(
      {
        'parked/file': '',
        'strict/.claude/settings.json': JSON.stringify(disabled),
        'broken/.claude/settings.json': '{',
      },
      { args: ['--allow-dangerously-skip-permissions'], env: { IS_SANDBOX: '1' } },
    );
    const refused = (fields: JsonObject, words: string) =>
      expect(agent.claim(fields)).rejects.toThrow(
        expect.objectContaining({ message: expect.stringMatching(words) }),
      );
    await refused({ cwd: 7 }, '^invalid_request: .*cwd');
    await refused({ cwd: '' }, '^invalid_request: cwd');
    await refused({ agents: 'none' }, '^invalid_request: .*agents');
    await refused({ cwd: 'nowhere' }, '^cwd_not_found: ');
    await refused({ cwd: 'file' }, '^cwd_not_a_directory: ');
    await refused({ env: { PATH: '/' } }, '^env_key_not_claimable: PATH ');
    await refused({ permission_mode: 'none' }, '^permission_mode_not_claimable: ');
    const bypass = { permission_mode: 'bypassPermissions' };
    await refused({ ...bypass, cwd: '../strict' }, '^permission_mode_not_claimable: .*disabled');
    await refused({ cwd: '../broken' }, '^claim_failed: .*settings.json');
    expect(await agent.claim(bypass)).toMatchObject({ status: 'ok', cwd: agent.project });
    await answerTo(agent, 'say hi');
    expect(initOf(agent)).toMatchObject({ permissionMode: 'bypassPermissions' });
    await refused({}, '^not_a_spare: ');
    const notLaunched = await spare();
    await expect(notLaunched.claim(bypass)).rejects.toThrow('was not launched with');
    const ordinary = await driveAgent();
    await expect(ordinary.peer.request({ subtype: 'claim_session', cwd: agent.project })).rejects.toThrow(
      'not_a_spare: ',
    );
  });

  it('[AG873] takes no prompt before the claim, and those that follow it', async () => {
    const agent = await spare();
    expect(await answerTo(agent, 'say early')).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      errors: [expect.stringMatching(/^not_claimed: /)],
    });
    await expect(agent.ask('read_file', { path: 'x' })).rejects.toThrow('not_claimed: ');
    await expect(agent.ask('nonsense')).rejects.toThrow('Unsupported');
    expect(agent.model.requests).toEqual([]);
    const mark = agent.messages.length;
    const initialized = agent.ask('initialize');
    const claimed = agent.claim();
    const renamed = agent.ask('set_model', { model: 'haiku' });
    await agent.say('say late');
    expect(await initialized).toHaveProperty('commands');
    expect(await claimed).toMatchObject({ status: 'ok' });
    await renamed;
    expect(await agent.next(isResult, mark)).toMatchObject({ result: 'late' });
    expect(initOf(agent)).toMatchObject({ model: expect.stringContaining('haiku') });
    await expect(agent.ask('initialize')).rejects.toThrow('Already initialized');
    expect(await agent.finish()).toMatchObject({ code: 0 });
  });

  it('[AG873] ends well when its host leaves before a claim, unless it was asked something', async () => {
    expect(await (await spare()).finish()).toEqual({ code: 0, stderr: '' });
    const asked = await spare();
    await answerTo(asked, 'say early');
    expect(await asked.finish()).toMatchObject({ code: 1 });
  });

  it('[AG874] is refused where it cannot be driven, and for a session that goes on', async () => {
    const alone = await driveAgent({ args: ['--await-claim', '--continue'] });
    expect(await alone.finish()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--await-claim cannot be combined'),
    });
    const printing = await driveAgent({ args: ['--await-claim', '--input-format', 'text'] });
    expect(await printing.finish()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--await-claim requires'),
    });
  });
});

describe('settings that a host applies to a session that runs', () => {
  it('[AG875] change the model, the effort, the rules, the variables and the output style', async () => {
    const agent = await driveAgent({ args: ['--effort', 'low', '--settings', '{"model":"opus"}'] });
    const apply = (settings: unknown) => agent.peer.request({ subtype: 'apply_flag_settings', settings });
    expect(await answerTo(agent, 'run touch one')).toMatchObject({ permission_denials: [{}] });
    await apply({
      model: 'haiku',
      effortLevel: 'high',
      env: { SET: 'now' },
      outputStyle: 'Explanatory',
      permissions: { allow: ['Bash(touch:*)', 'Bash(printenv:*)'] },
    });
    expect(await answerTo(agent, 'run touch two && printenv SET')).toMatchObject({
      permission_denials: [],
      result: expect.stringContaining('now'),
    });
    expect(lastRequest(agent)).toMatchObject({
      model: expect.stringContaining('haiku'),
      output_config: { effort: 'high' },
    });
    expect(initOf(agent)).toMatchObject({ output_style: 'Explanatory' });
    await apply({ permissions: { deny: ['Bash'] }, model: null, effortLevel: null });
    expect(initOf(agent)).toMatchObject({ tools: expect.arrayContaining(['Bash']) });
    await answerTo(agent, 'say hi');
    expect(initOf(agent)).toMatchObject({ tools: expect.not.arrayContaining(['Bash']) });
    expect(lastRequest(agent)).toMatchObject({ output_config: { effort: 'low' } });
    const { sources } = await agent.peer.request({ subtype: 'get_settings' });
    expect(sources).toMatchObject([
      { source: 'flagSettings', settings: { permissions: { deny: ['Bash'] }, outputStyle: 'Explanatory' } },
    ]);
  });

  it('[AG876] that are wrong, or that a session is made of, change nothing', async () => {
    const agent = await driveAgent();
    const refused = (settings: unknown, words: RegExp) =>
      expect(agent.peer.request({ subtype: 'apply_flag_settings', settings })).rejects.toThrow(words);
    await refused(null, /requires `settings` to be an object, got null/);
    await refused({ model: 'haiku', permissions: 'x' }, /nothing in this request was applied.*permissions/);
    await refused({ model: 'haiku', permissions: { deny: ['('] } }, /nothing in this request was applied/);
    await refused({ model: 'haiku', hooks: {} }, /cannot change hooks/);
    await refused(
      { permissions: { disableBypassPermissionsMode: 'disable' } },
      /cannot change permissions.disableBypassPermissionsMode/,
    );
    await answerTo(agent, 'say hi');
    expect(initOf(agent)).toMatchObject({ model: expect.not.stringContaining('haiku') });
    expect(await agent.peer.request({ subtype: 'get_settings' })).toMatchObject({ sources: [] });
  });

  it('[AG877] may name how hard the model is to try, as files may; a level that is not known is left out', async () => {
    const agent = await spare({ 'home/.claude/settings.json': '{"effortLevel":"max"}' });
    await agent.claim();
    await answerTo(agent, 'say hi');
    expect(lastRequest(agent)).toMatchObject({ output_config: { effort: 'max' } });
    await agent.ask('apply_flag_settings', { settings: { effortLevel: 'heroic' } });
    await answerTo(agent, 'say hi');
    expect(lastRequest(agent)).toMatchObject({ output_config: { effort: 'max' } });
  });
});

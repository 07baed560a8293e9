import { formatRule } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { SettingsError } from '../../src/settings/settings-file.ts';
import { openSettings } from './settings-bench.ts';

const TRUSTED = { SIGNALBOX_TRUST_PROJECT: '1' };

/** All sources of this bench speak for the person. */
async function openTrusted(...contents: Parameters<typeof openSettings>) {
  const bench = await openSettings(...contents);
  bench.env = TRUSTED;
  return bench;
}

describe('the sources together', () => {
  it('[ST1] a stronger source overrides a weaker one: policy, --settings, local, project, user', async () => {
    const bench = await openTrusted();
    const model = (name: string) => ({ model: name, env: { [name]: name, LAST: name } });
    for (const [file, name] of [
      [bench.files.user, 'user'],
      [bench.files.project, 'project'],
      [bench.files.local, 'local'],
    ] as const) {
      await bench.write(file, model(name));
      expect(bench.load().model).toBe(name);
    }
    expect(bench.load('--settings', JSON.stringify(model('flag'))).model).toBe('flag');
    await bench.write(bench.files.managed, model('managed'));
    const settings = bench.load('--settings', JSON.stringify(model('flag')));
    expect(settings.model).toBe('managed');
    expect(settings.env).toEqual({
      user: 'user',
      project: 'project',
      local: 'local',
      flag: 'flag',
      managed: 'managed',
      LAST: 'managed',
    });
    expect(bench.load('--setting-sources=').model).toBe('managed');
  });

  it('[ST1] lists add up', async () => {
    const { load } = await openTrusted({
      user: { permissions: { allow: ['Read'] }, sandbox: { network: { allowedDomains: ['a.test'] } } },
      project: {
        permissions: { allow: ['Write'] },
        sandbox: { network: { allowedDomains: ['b.test', 'a.test'] } },
      },
      managed: { permissions: { deny: ['WebFetch'] } },
    });
    const sources = load().permissionSources();
    expect(sources.flatMap(({ allow }) => allow)).toEqual(['Read', 'Write']);
    expect(sources.flatMap(({ deny }) => deny)).toEqual(['WebFetch']);
    expect(load().sandbox.allowedDomains).toEqual(['a.test', 'b.test']);
  });

  it('[ST2] the policy may be spread over files, of which the later by name is the stronger', async () => {
    const bench = await openSettings({ managed: { model: 'base', outputStyle: 'base' } });
    const folder = bench.files.managed.replace(/\.json$/, '.d');
    await bench.write(`${folder}/20-b.json`, { model: 'b', permissions: { deny: ['WebFetch'] } });
    await bench.write(`${folder}/10-a.json`, { model: 'a', permissions: { deny: ['WebSearch'] } });
    await bench.write(`${folder}/.hidden.json`, { model: 'hidden' });
    await bench.write(`${folder}/notes.txt`, 'no settings');
    expect(bench.load()).toMatchObject({ model: 'b', outputStyle: 'base' });
    expect(
      bench
        .load()
        .permissionSources()
        .flatMap(({ deny }) => deny),
    ).toEqual(['WebSearch', 'WebFetch']);
  });

  it('[ST3] a policy can keep rules, hooks and bypassing to itself', async () => {
    const { load, permissions } = await openTrusted({
      user: { permissions: { allow: ['Read'] }, hooks: { Stop: ['user'] } },
      managed: {
        permissions: { allow: ['Glob'], disableBypassPermissionsMode: 'disable' },
        hooks: { Stop: ['managed'] },
        allowManagedHooksOnly: true,
        allowManagedPermissionRulesOnly: true,
      },
    });
    const store = permissions(
      '--allowedTools',
      'Bash',
      '--disallowedTools',
      'Write',
      '--dangerously-skip-permissions',
    );
    expect(store.rules.allow.map(formatRule)).toEqual(['Glob']);
    expect(store.rules.deny.map(formatRule)).toEqual(['Write']);
    expect(store.mode).toBe('default');
    expect(load()).toMatchObject({ mayBypass: false, onlyManagedHooks: true, onlyManagedRules: true });
    expect(load().hookSources()).toMatchObject([{ source: 'policySettings', hooks: { Stop: ['managed'] } }]);
  });

  it('[ST3] nobody else can', async () => {
    const { load } = await openTrusted({
      user: {
        permissions: { allow: ['Read'] },
        allowManagedHooksOnly: true,
        allowManagedPermissionRulesOnly: true,
      },
      project: { allowedMcpServers: [] },
    });
    expect(load()).toMatchObject({ onlyManagedHooks: false, onlyManagedRules: false, mayBypass: true });
    expect(load().mayUseServer({ name: 'any' })).toBe(true);
  });

  it('[ST4] a host adds restrictions to the policy, and nothing else', async () => {
    const { load } = await openTrusted({
      user: { hooks: { Stop: ['user'] } },
      managed: { hooks: { Stop: ['managed'] } },
    });
    const settings = load(
      '--managed-settings',
      JSON.stringify({
        model: 'host',
        env: { A: '1' },
        hooks: { Stop: ['host'] },
        disableAllHooks: true,
        permissions: { allow: ['Bash'], deny: ['WebFetch'], defaultMode: 'acceptEdits' },
        sandbox: { enabled: true, allowUnsandboxedCommands: false, excludedCommands: ['git'] },
      }),
    );
    expect(settings).toMatchObject({ model: undefined, env: {}, defaultMode: undefined });
    expect(settings.permissionSources().flatMap(({ allow, deny }) => [...allow, ...deny])).toEqual([
      'WebFetch',
    ]);
    expect(settings.sandbox).toMatchObject({ isEnabled: true, mayBeLeft: false, excludedCommands: [] });
    expect(settings.hookSources().map(({ hooks }) => hooks)).toEqual([{ Stop: ['managed'] }]);
  });

  it('[ST5] hooks keep their source; disableAllHooks stops all but those of a stronger policy', async () => {
    const bench = await openTrusted({
      user: { hooks: { Stop: ['user'] } },
      project: { hooks: { Stop: ['project'] } },
      managed: { hooks: { Stop: ['managed'] } },
    });
    const sources = (...argv: string[]) =>
      bench
        .load(...argv)
        .hookSources()
        .map(({ source }) => source);
    expect(bench.load().hookSources()[1]).toEqual({
      source: 'projectSettings',
      file: bench.files.project,
      hooks: { Stop: ['project'] },
    });
    expect(sources('--settings', '{"disableAllHooks":true}')).toEqual(['policySettings']);
    await bench.write(bench.files.managed, { hooks: {}, disableAllHooks: true });
    expect(sources()).toEqual([]);
  });

  it('[ST863] the status line of the strongest source counts; what stops hooks stops it', async () => {
    const line = (command: string) => ({ statusLine: { type: 'command', command } });
    const bench = await openTrusted({ user: line('user'), project: { statusLine: null } });
    const command = (...argv: string[]) => bench.load(...argv).statusLine?.command;
    expect(bench.load().statusLine).toEqual({ command: 'user', padding: 0 });
    expect(command('--settings', JSON.stringify(line('flag')))).toBe('flag');
    expect(command('--settings', '{"disableAllHooks":true}')).toBeUndefined();
    await bench.write(bench.files.managed, { allowManagedHooksOnly: true });
    expect(command()).toBeUndefined();
    await bench.write(bench.files.managed, { allowManagedHooksOnly: true, ...line('managed') });
    expect(command('--settings', '{"disableAllHooks":true}')).toBe('managed');
  });

  it('[ST6] servers of .mcp.json start when the project is trusted or they were approved, never when disabled', async () => {
    const bench = await openSettings({
      user: { enabledMcpjsonServers: ['mine'] },
      project: { enabledMcpjsonServers: ['theirs'], disabledMcpjsonServers: ['off'] },
    });
    const may = (): boolean[] =>
      ['mine', 'theirs', 'off'].map((name) => bench.load().mayStartProjectServer(name));
    expect(may()).toEqual([true, false, false]);
    bench.env = TRUSTED;
    expect(may()).toEqual([true, true, false]);
    await bench.write(bench.files.local, { enableAllProjectMcpServers: false });
    expect(bench.load().mayStartProjectServer('other')).toBe(false);
    bench.env = {};
    await bench.write(bench.files.local, {});
    await bench.write(bench.files.user, { enableAllProjectMcpServers: true });
    expect(may()).toEqual([true, true, false]);
  });

  it('[ST6] a policy allows and denies servers by name, command and address', async () => {
    const { load } = await openSettings({
      user: { deniedMcpServers: [{ serverName: 'bad' }] },
      managed: {
        allowedMcpServers: [
          { serverName: 'plain' },
          { serverName: 'bad' },
          { serverCommand: ['npx', 'good'] },
          { serverUrl: 'https://*.corp.test/*' },
        ],
        deniedMcpServers: [{ serverUrl: 'https://evil.corp.test/*' }],
      },
    });
    const settings = load();
    for (const [server, may] of [
      [{ name: 'plain' }, true],
      [{ name: 'bad' }, false],
      [{ name: 'other' }, false],
      [{ name: 'any', command: ['npx', 'good'] }, true],
      [{ name: 'plain', command: ['npx', 'evil'] }, false],
      [{ name: 'any', url: 'https://mcp.corp.test/sse' }, true],
      [{ name: 'plain', url: 'https://mcp.evil.test/corp.test/' }, false],
      [{ name: 'any', url: 'https://evil.corp.test/x' }, false],
    ] as const) {
      expect(settings.mayUseServer(server), JSON.stringify(server)).toBe(may);
    }
  });

  it('[ST7] sandbox settings: paths are meant from their file, and whoever shuts the door keeps it shut', async () => {
    const { load, home, cwd } = await openTrusted({
      user: {
        sandbox: {
          allowUnsandboxedCommands: false,
          filesystem: { denyRead: ['~/.secret/**', '//opt/x', 'here'], allowWrite: ['/srv'] },
        },
      },
      local: {
        sandbox: { enabled: true, allowUnsandboxedCommands: true, filesystem: { denyWrite: ['./here/'] } },
      },
    });
    expect(load().sandbox).toMatchObject({
      isEnabled: true,
      mayBeLeft: false,
      denyRead: [`${home}/.secret`, '/opt/x', `${home}/.claude/here`],
      denyWrite: [`${cwd}/here`],
      allowWrite: ['/srv'],
    });
    expect(load('--settings', '{"sandbox":{"enabled":false}}').sandbox.isEnabled).toBe(false);
    expect(load('--sandbox', '--settings', '{"sandbox":{"enabled":false}}').sandbox.isEnabled).toBe(true);
  });
});

describe('settings that cannot be used', () => {
  it.each([
    [{ env: 1 }, '"env" is not an object'],
    [{ env: { A: {} } }, '"env.A" is not a text'],
    [{ model: 1 }, '"model" is not a text'],
    [{ disableAllHooks: 'yes' }, '"disableAllHooks" is not true or false'],
    [{ enabledMcpjsonServers: 'all' }, '"enabledMcpjsonServers" is not a list of texts'],
    [{ deniedMcpServers: [{ name: 'x' }] }, '"deniedMcpServers" has an entry without'],
    [{ sandbox: { network: { allowedDomains: [1] } } }, '"sandbox.network.allowedDomains" is not a list'],
    [{ sandbox: { filesystem: { denyRead: ['/a/*.pem'] } } }, '"sandbox.filesystem.denyRead" has a pattern'],
    [{ statusLine: 'echo hi' }, '"statusLine" is not an object'],
    [{ statusLine: { type: 'static', command: 'x' } }, '"statusLine.type" is not "command"'],
    [{ statusLine: { type: 'command' } }, '"statusLine.command" is missing'],
    [{ statusLine: { type: 'command', command: 'x', padding: -1 } }, '"statusLine.padding" is no number'],
  ])('[ST8] %j is named with its file and field', async (content, problem) => {
    for (const source of ['user', 'project', 'managed'] as const) {
      const { load, files } = await openSettings({ [source]: content });
      expect(load).toThrow(SettingsError);
      expect(load).toThrow(`${files[source]}: ${problem}`);
    }
  });

  it('[ST8] null is as good as nothing, and what is not known is not looked at', async () => {
    const { load } = await openSettings({
      user: { model: null, permissions: null, env: { A: null }, unknown: [1] },
    });
    expect(load()).toMatchObject({ model: undefined, env: {} });
  });
});

describe('a look at the settings', () => {
  it('[ST9] shows what holds and who said it, and no secret', async () => {
    const { load, files } = await openSettings({
      user: {
        model: 'opus',
        env: { HARMLESS: 's3cret' },
        apiKeyHelper: 'echo s3cret',
        hooks: { Stop: [{ hooks: [{ type: 'http', headers: { Authorization: 's3cret' } }] }] },
      },
      project: { permissions: { allow: ['Bash'] } },
    });
    const description = load().describe();
    expect(JSON.stringify(description)).not.toContain('s3cret');
    expect(description).toMatchObject({
      effective: {
        model: 'opus',
        env: { HARMLESS: '***' },
        permissions: { allow: [] },
        isProjectTrusted: false,
      },
      sources: [
        { source: 'userSettings', file: files.user, settings: { model: 'opus' }, withheld: [] },
        {
          source: 'projectSettings',
          settings: { permissions: { allow: ['Bash'] } },
          withheld: ['permissions.allow'],
        },
      ],
    });
  });
});

import { chmod, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { formatRule } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { trustFile } from '../../src/settings/project-state.ts';
import { trustProject } from '../../src/settings/trust.ts';
import { openSettings, type SettingsBench } from './settings-bench.ts';

/** Everything that only someone who is trusted may say. */
const LOOSENING = {
  permissions: { allow: ['Bash'], additionalDirectories: ['/'], defaultMode: 'acceptEdits' },
  env: { PATH: '/evil' },
  hooks: { SessionStart: [] },
  disableAllHooks: true,
  statusLine: { type: 'command', command: 'evil' },
  apiKeyHelper: 'evil',
  enableAllProjectMcpServers: true,
  enabledMcpjsonServers: ['evil'],
  sandbox: {
    enabled: false,
    autoAllowBashIfSandboxed: true,
    excludedCommands: ['evil'],
    network: { allowedDomains: ['evil.test'], allowUnixSockets: ['/run/docker.sock'] },
    filesystem: { allowWrite: ['/'], allowRead: ['~/.ssh'] },
  },
};

function isTrusted(bench: SettingsBench, ...argv: string[]): boolean {
  return bench.load(...argv).apiKeyHelper === 'evil';
}

describe('a project that nobody has vouched for', () => {
  it.each(['project', 'local'] as const)('[ST10] cannot loosen anything: %s', async (source) => {
    const bench = await openSettings({
      [source]: LOOSENING,
      user: { hooks: { Stop: ['guard'] }, sandbox: { enabled: true } },
    });
    const settings = bench.load();
    expect(
      settings.permissionSources().flatMap(({ allow, directories }) => [...allow, ...directories]),
    ).toEqual([]);
    expect(settings).toMatchObject({
      env: {},
      apiKeyHelper: undefined,
      defaultMode: undefined,
      statusLine: undefined,
    });
    expect(settings.hookSources()).toMatchObject([{ source: 'userSettings' }]);
    expect(settings.mayStartProjectServer('evil')).toBe(false);
    expect(settings.sandbox).toMatchObject({
      isEnabled: true,
      autoAllows: false,
      excludedCommands: [],
      allowedDomains: [],
      allowUnixSockets: [],
      allowWrite: [],
      allowRead: [],
    });
  });

  it('[ST10] is told of in one line, with all that was left out and what to do', async () => {
    const bench = await openSettings({ project: LOOSENING, local: { env: { A: '1' } } });
    await bench.write(join(bench.cwd, '.mcp.json'), { mcpServers: {} });
    bench.load();
    expect(bench.told).toHaveLength(1);
    const [line] = bench.told;
    for (const part of [
      'permissions.allow, permissions.additionalDirectories, permissions.defaultMode, hooks, disableAllHooks, statusLine, env',
      'apiKeyHelper, enableAllProjectMcpServers, enabledMcpjsonServers, sandbox.enabled',
      'sandbox.filesystem.allowRead (.claude/settings.json); env (.claude/settings.local.json)',
      'the servers of .mcp.json',
      'SIGNALBOX_TRUST_PROJECT=1',
    ]) {
      expect(line).toContain(part);
    }
    expect(line).not.toContain('\n');
  });

  it('[ST11] may restrict, and choose how things look', async () => {
    const bench = await openSettings({
      user: { permissions: { defaultMode: 'acceptEdits' }, outputStyle: 'mine' },
      project: {
        model: 'haiku',
        outputStyle: 'theirs',
        permissions: { deny: ['WebFetch'], ask: ['Bash(git push:*)'], defaultMode: 'plan' },
        disabledMcpjsonServers: ['off'],
        sandbox: {
          enabled: true,
          filesystem: { denyRead: ['.env'] },
          network: { deniedDomains: ['a.test'] },
        },
      },
    });
    const settings = bench.load();
    expect(settings).toMatchObject({ model: 'haiku', outputStyle: 'theirs', defaultMode: 'plan' });
    expect(settings.permissionSources()[1]).toMatchObject({ deny: ['WebFetch'], ask: ['Bash(git push:*)'] });
    expect(settings.sandbox).toMatchObject({ isEnabled: true, denyRead: [join(bench.cwd, '.env')] });
    expect(bench.told).toEqual([]);
  });

  it('[ST11] does not lead out of a stricter mode', async () => {
    for (const [own, theirs, mode] of [
      ['plan', 'default', 'plan'],
      ['dontAsk', 'plan', 'dontAsk'],
      ['acceptEdits', 'default', 'default'],
      [undefined, 'acceptEdits', undefined],
    ] as const) {
      const { load } = await openSettings({
        user: { permissions: { defaultMode: own } },
        project: { env: { A: '1' }, permissions: { defaultMode: theirs } },
      });
      expect(load().defaultMode, `${own} ${theirs}`).toBe(mode);
    }
  });

  it('[ST12] keeps the rules in its files that have no effect, when one is added', async () => {
    const bench = await openSettings({
      local: { permissions: { allow: ['Bash(evil)'], deny: ['WebFetch'] } },
    });
    const store = bench.permissions();
    const change = { behavior: 'allow', destination: 'localSettings' } as const;
    const rules = [{ toolName: 'Bash', ruleContent: 'git:*' }];
    await store.apply([{ type: 'addRules', rules, ...change }]);
    const kept = async (): Promise<unknown> => JSON.parse(await readFile(bench.files.local, 'utf8'));
    expect(await kept()).toEqual({
      permissions: { allow: ['Bash(evil)', 'Bash(git:*)'], deny: ['WebFetch'] },
    });
    expect(store.rules.allow.map(formatRule)).toEqual(['Bash(git:*)']);
    await store.apply([{ type: 'removeRules', rules, ...change }]);
    expect(await kept()).toEqual({ permissions: { allow: ['Bash(evil)'], deny: ['WebFetch'] } });
  });
});

describe('a project is trusted', () => {
  it('[ST13] when the person has accepted it or a folder above it, but not merely their home', async () => {
    const bench = await openSettings({ project: LOOSENING });
    const accept = (...folders: string[]) =>
      bench.write(bench.files.trust, {
        projects: Object.fromEntries(folders.map((folder) => [folder, { hasTrustDialogAccepted: true }])),
      });
    expect(isTrusted(bench)).toBe(false);
    await accept(bench.cwd);
    expect(isTrusted(bench)).toBe(true);
    await accept(join(bench.home, 'code'));
    expect(isTrusted(bench)).toBe(true);
    await accept(bench.home, '/', `${bench.cwd}/sub`, `${bench.cwd}2`);
    expect(isTrusted(bench)).toBe(false);
    await bench.write(bench.files.trust, { projects: { [bench.cwd]: { hasTrustDialogAccepted: false } } });
    expect(isTrusted(bench)).toBe(false);
  });

  it('[ST13] when the host names its source, when the environment says so, and in the home folder', async () => {
    const bench = await openSettings({ project: LOOSENING });
    expect(isTrusted(bench, '--setting-sources', 'user,local')).toBe(false);
    expect(isTrusted(bench, '--setting-sources', 'project')).toBe(true);
    expect(bench.load('--setting-sources', 'user').mayStartProjectServer('x')).toBe(false);
    await bench.write(bench.files.local, LOOSENING);
    expect(bench.load('--setting-sources', 'local').mayStartProjectServer('x')).toBe(true);
    bench.env = { SIGNALBOX_TRUST_PROJECT: '1' };
    expect(isTrusted(bench)).toBe(true);
    bench.env = { SIGNALBOX_TRUST_PROJECT: '0' };
    expect(isTrusted(bench)).toBe(false);
    bench.cwd = bench.home;
    await bench.write(bench.files.user, { ...LOOSENING, disableAllHooks: false });
    expect(isTrusted(bench)).toBe(true);
    expect(bench.load().hookSources()).toHaveLength(1);
  });

  it('[ST13] not when the file that says so cannot be read; the person is told', async () => {
    const bench = await openSettings({ project: LOOSENING, trust: '{ broken' });
    expect(isTrusted(bench)).toBe(false);
    expect(bench.told[0]).toContain('.claude.json: is not JSON');
    await expect(trustProject(bench.cwd, bench)).rejects.toThrow('is not JSON');
    expect(await readFile(bench.files.trust, 'utf8')).toBe('{ broken');
  });

  it('[ST14] trusting a folder is noted where claude notes it, for the whole repository, and changes nothing else', async () => {
    const before = { numStartups: 7, projects: { '/other': { a: 1 } }, oauthAccount: { x: 'y' } };
    const bench = await openSettings({ project: LOOSENING, trust: before });
    await chmod(bench.files.trust, 0o600);
    await mkdir(join(bench.home, 'code/.git'));
    await symlink(bench.cwd, join(bench.home, 'link'));
    await trustProject(join(bench.home, 'link'), bench);
    expect(JSON.parse(await readFile(bench.files.trust, 'utf8'))).toEqual({
      ...before,
      projects: { '/other': { a: 1 }, [join(bench.home, 'code')]: { hasTrustDialogAccepted: true } },
    });
    expect((await stat(bench.files.trust)).mode & 0o777).toBe(0o600);
    expect(isTrusted(bench)).toBe(true);
  });

  it('[ST14] CLAUDE_CONFIG_DIR moves the note', async () => {
    const bench = await openSettings({ project: LOOSENING });
    bench.env = { CLAUDE_CONFIG_DIR: join(bench.home, 'config') };
    await trustProject(bench.cwd, bench);
    expect(trustFile(bench)).toBe(join(bench.home, 'config/.claude.json'));
    expect(isTrusted(bench)).toBe(true);
    bench.env = {};
    expect(isTrusted(bench)).toBe(false);
  });
});

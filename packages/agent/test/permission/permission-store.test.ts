import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatRule, PermissionRuleError } from '@signalbox/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realPaths } from '../../src/base/real-path.ts';
import { readCommandLine } from '../../src/command-line/agent-options.ts';
import { loadPermissions } from '../../src/permission/load-permissions.ts';
import { PermissionStore } from '../../src/permission/permission-store.ts';
import { SettingsError } from '../../src/settings/settings-file.ts';
import { BUILT_IN_TOOLS } from '../../src/tools/registry.ts';

let folder = '';
const env = { SIGNALBOX_TRUST_PROJECT: '1' };
let problems: string[] = [];
const onProblem = (problem: string): void => void problems.push(problem);
let location = { cwd: '', home: '', configDir: '', env, onProblem };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-permissions-'));
  // Not the developer's own, where answers are noted.
  const home = join(folder, 'home');
  location = { cwd: join(folder, 'project'), home, configDir: join(folder, 'config'), env, onProblem };
  problems = [];
  await mkdir(join(location.cwd, '.claude'), { recursive: true });
  await mkdir(location.configDir, { recursive: true });
  await mkdir(home);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function load(...argv: string[]): PermissionStore {
  return loadPermissions(readCommandLine(['-p', 'x', ...argv]), location);
}

function texts(store: PermissionStore, behavior: 'allow' | 'deny' | 'ask'): string[] {
  return store.rules[behavior].map(formatRule);
}

async function settings(file: string, permissions: unknown): Promise<void> {
  await writeFile(file, JSON.stringify({ permissions }));
}

describe('where rules come from', () => {
  it('[PM8] user, project and local settings, --settings and flags add up', async () => {
    await settings(join(location.configDir, 'settings.json'), { allow: ['Read'] });
    await settings(join(location.cwd, '.claude/settings.json'), { deny: ['WebFetch'], defaultMode: 'plan' });
    await settings(join(location.cwd, '.claude/settings.local.json'), {
      ask: ['Bash(git push:*)'],
      additionalDirectories: ['/opt'],
    });
    const store = load(
      '--settings',
      '{"permissions":{"allow":["Glob"]}}',
      '--allowedTools',
      'Bash(ls:*)',
      '--add-dir',
      '/srv',
    );
    expect(texts(store, 'allow')).toEqual(['Read', 'Glob', 'Bash(ls:*)']);
    expect(texts(store, 'deny')).toEqual(['WebFetch']);
    expect(texts(store, 'ask')).toEqual(['Bash(git push:*)']);
    expect(store.directories).toEqual(['/opt', '/srv']);
    expect(store.mode).toBe('plan');
    expect(load('--permission-mode', 'acceptEdits').mode).toBe('acceptEdits');
  });

  it('[PM8] --setting-sources chooses among the files', async () => {
    await settings(join(location.configDir, 'settings.json'), { allow: ['Read'] });
    await settings(join(location.cwd, '.claude/settings.json'), { allow: ['Write'] });
    expect(texts(load('--setting-sources', 'user'), 'allow')).toEqual(['Read']);
    expect(texts(load('--setting-sources='), 'allow')).toEqual([]);
    expect(texts(load(), 'allow')).toEqual(['Read', 'Write']);
  });

  it('[PM9] a settings file cannot switch permissions off', async () => {
    await settings(join(location.cwd, '.claude/settings.json'), { defaultMode: 'bypassPermissions' });
    expect(load().mode).toBe('default');
  });

  it.each([
    ['{ not json', 'is not JSON'],
    ['[]', 'is not a JSON object'],
    ['{"permissions":{"allow":"Read"}}', '"permissions.allow" is not a list'],
    ['{"permissions":{"defaultMode":"yolo"}}', 'no permission mode'],
  ])('[PM10] settings that cannot be used are named: %s', async (text, problem) => {
    const file = join(location.cwd, '.claude/settings.json');
    await writeFile(file, text);
    expect(() => load()).toThrow(SettingsError);
    expect(() => load()).toThrow(problem);
    expect(() => load()).toThrow(file);
  });

  it('[PM10] a rule that cannot be read is named', () => {
    expect(() => load('--allowedTools', 'Bash(git')).toThrow(PermissionRuleError);
  });
});

describe('updates', () => {
  const rule = (ruleContent: string) => ({ toolName: 'Bash', ruleContent });

  it('[PM11] rules, folders and the mode change for the session', async () => {
    const store = new PermissionStore({ mode: 'default' });
    const allow = { behavior: 'allow', destination: 'session' } as const;
    await store.apply([{ type: 'addRules', rules: [rule('a:*'), rule('b:*')], ...allow }]);
    await store.apply([{ type: 'addRules', rules: [rule('a:*')], ...allow }]);
    expect(texts(store, 'allow')).toEqual(['Bash(b:*)', 'Bash(a:*)']);
    await store.apply([{ type: 'removeRules', rules: [rule('b:*')], ...allow }]);
    expect(texts(store, 'allow')).toEqual(['Bash(a:*)']);
    await store.apply([{ type: 'replaceRules', rules: [rule('c')], ...allow }]);
    expect(texts(store, 'allow')).toEqual(['Bash(c)']);
    await store.apply([
      { type: 'addDirectories', directories: ['/a', '/b'], destination: 'session' },
      { type: 'removeDirectories', directories: ['/a'], destination: 'session' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ]);
    expect(store.directories).toEqual(['/b']);
    expect(store.mode).toBe('acceptEdits');
  });

  it.each([
    ['userSettings', () => join(location.configDir, 'settings.json')],
    ['projectSettings', () => join(location.cwd, '.claude/settings.json')],
    ['localSettings', () => join(location.cwd, '.claude/settings.local.json')],
  ] as const)(
    '[PM12] an update for %s is kept in its file, and the rest of the file stays',
    async (destination, file) => {
      await writeFile(file(), '{"model":"x","permissions":{"allow":["Read"],"mine":1}}');
      await load().apply([{ type: 'addRules', rules: [rule('git:*')], behavior: 'allow', destination }]);
      expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({
        model: 'x',
        permissions: { allow: ['Read', 'Bash(git:*)'], mine: 1 },
      });
      expect(texts(load(), 'allow')).toContain('Bash(git:*)');
    },
  );

  it('[PM12] an update for the session touches no file', async () => {
    await load().apply([
      { type: 'addRules', rules: [rule('git:*')], behavior: 'allow', destination: 'session' },
    ]);
    expect(existsSync(join(location.cwd, '.claude/settings.local.json'))).toBe(false);
  });
});

describe('paths', () => {
  it('[PM13] links and .. are followed before a path is judged', async () => {
    await mkdir(join(folder, 'outside'));
    await symlink(join(folder, 'outside'), join(location.cwd, 'link'));
    const write = BUILT_IN_TOOLS.find(({ name }) => name === 'Write');
    if (!write) throw new Error('no Write tool');
    const pathOf = (file_path: string) => realPaths(write.paths({ file_path, content: '' }), location.cwd)[0];
    expect(pathOf('link/new/file')).toBe(join(folder, 'outside/new/file'));
    expect(pathOf('sub/../../outside/x')).toBe(join(folder, 'outside/x'));
    expect(pathOf('a.txt')).toBe(join(location.cwd, 'a.txt'));
  });
});

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readCommandLine } from '../../src/command-line/agent-options.ts';
import { loadPermissions } from '../../src/permission/load-permissions.ts';
import type { PermissionStore } from '../../src/permission/permission-store.ts';
import { loadSettings } from '../../src/settings/load-settings.ts';
import type { Settings } from '../../src/settings/settings.ts';

/** A person's machine: a home, a project in it, and a policy. */
export interface SettingsBench {
  home: string;
  cwd: string;
  /** The files of each source; relative to the home, except the policy's. */
  files: Record<'user' | 'project' | 'local' | 'managed' | 'trust', string>;
  env: NodeJS.ProcessEnv;
  /** What the person was told. */
  told: string[];
  write: (file: string, content: unknown) => Promise<void>;
  load: (...argv: string[]) => Settings;
  permissions: (...argv: string[]) => PermissionStore;
}

/** It is gone after the test. */
export async function openSettings(contents: Partial<Record<keyof SettingsBench['files'], unknown>> = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-settings-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const cwd = join(home, 'code/project');
  await mkdir(cwd, { recursive: true });
  const bench: SettingsBench = {
    home,
    cwd,
    files: {
      user: join(home, '.claude/settings.json'),
      project: join(cwd, '.claude/settings.json'),
      local: join(cwd, '.claude/settings.local.json'),
      managed: join(root, 'etc/managed-settings.json'),
      trust: join(home, '.claude.json'),
    },
    env: {},
    told: [],
    async write(file, content) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    },
    load: (...argv) => loadSettings({ ...location(), options: optionsOf(argv) }),
    permissions: (...argv) =>
      loadPermissions(optionsOf(argv), location(), loadSettings({ ...location(), options: optionsOf(argv) })),
  };
  const location = () => ({
    cwd: bench.cwd,
    configDir: join(home, '.claude'),
    home,
    env: bench.env,
    managedFile: bench.files.managed,
    onProblem: (problem: string) => void bench.told.push(problem),
  });
  for (const [name, content] of Object.entries(contents)) {
    const file = Object.entries(bench.files).find(([known]) => known === name)?.[1];
    if (file !== undefined) await bench.write(file, content);
  }
  return bench;
}

function optionsOf(argv: readonly string[]) {
  return readCommandLine(['-p', 'x', ...argv]);
}

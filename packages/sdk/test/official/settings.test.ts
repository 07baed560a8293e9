import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as ours from '../../src/index.ts';
import { temporaryFolder } from '../sessions/stored-session.ts';
import { INSTALL_TIMEOUT_MS, officialSdk } from './official-sdk.ts';

let theirs: typeof ours;
let cwd: string;
let files: Record<ours.SettingSource, string>;

beforeAll(async () => {
  theirs = await officialSdk();
}, INSTALL_TIMEOUT_MS);

beforeEach(async () => {
  const home = await temporaryFolder();
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(home, 'config'));
  cwd = join(home, 'project');
  files = {
    user: join(home, 'config/settings.json'),
    project: join(cwd, '.claude/settings.json'),
    local: join(cwd, '.claude/settings.local.json'),
  };
});

afterEach(() => vi.unstubAllEnvs());

/** Settings files with this in them: text as it is, all else as JSON. */
async function write(contents: Partial<Record<ours.SettingSource, unknown>>): Promise<void> {
  for (const source of ['user', 'project', 'local'] as const) {
    const content = contents[source];
    await rm(files[source], { force: true });
    if (content === undefined) continue;
    await mkdir(dirname(files[source]), { recursive: true });
    await writeFile(files[source], typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const hook = (command: string): object => ({ Stop: [{ hooks: [{ type: 'command', command }] }] });

const FILES: [what: string, contents: Partial<Record<ours.SettingSource, unknown>>][] = [
  ['none', {}],
  [
    'all of them',
    {
      user: {
        model: 'a',
        env: { A: '1', B: 2 },
        permissions: { allow: ['Read', 'Bash(ls)'] },
        hooks: hook('x'),
      },
      project: {
        model: 'b',
        env: { B: '3' },
        permissions: { allow: ['Bash(ls)'], deny: ['Write'] },
        hooks: hook('y'),
      },
      local: { outputStyle: 'c', hooks: hook('x'), unheardOf: { a: [1] } },
    },
  ],
  ['one that is not JSON', { user: { model: 'a' }, local: '{ "model": ' }],
  ['one that is empty', { user: '', project: {} }],
  ['a list', { user: [1], project: { model: 'x' } }],
  ['one with a byte order mark', { user: '\uFEFF{"model":"x"}' }],
  ['a setting of the wrong type', { user: { model: 5, outputStyle: 'a' }, project: { outputStyle: 'b' } }],
  ['null in the place of one', { user: { model: null, outputStyle: 'a' }, project: { unheardOf: null } }],
  ['a mode that is none', { user: { permissions: { defaultMode: 'none' } }, project: { permissions: 5 } }],
  [
    'rules that are none',
    { user: { permissions: { allow: ['Bash(', 'bash', 5, '', 'mcp__a__*', 'Bash(a:*)'] } } },
  ],
];

describe('settings', () => {
  it.each(FILES)(
    '[SD651] settings files are resolved as the official package does: %s',
    async (_what, contents) => {
      await write(contents);
      for (const settingSources of [undefined, [], ['user'], ['local', 'project']] as const) {
        const options = { cwd, ...(settingSources && { settingSources: [...settingSources] }) };
        expect(await ours.resolveSettings(options)).toEqual(await theirs.resolveSettings(options));
      }
    },
  );

  it('[SD651] a policy of the host adds what restricts, and gives way to that of a server', async () => {
    await write({ user: { permissions: { deny: ['Read'] }, allowManagedHooksOnly: false } });
    const managedSettings = {
      model: 'x',
      env: { A: '1' },
      hooks: hook('z'),
      permissions: { deny: ['Write'], defaultMode: 'plan', disableBypassPermissionsMode: 'disable' },
      allowManagedHooksOnly: true,
      deniedModels: ['opus'],
      sandbox: {
        enabled: true,
        excludedCommands: ['git'],
        network: { deniedDomains: ['a.example'], httpProxyPort: 1 },
      },
      unheardOf: 1,
    };
    for (const options of [
      { cwd, managedSettings },
      { cwd, managedSettings, serverManagedSettings: { model: 'y' } },
      { cwd, managedSettings, serverManagedSettings: {} },
    ])
      expect(await ours.resolveSettings(options)).toEqual(await theirs.resolveSettings(options));
  });

  it('[SD652] a mode that loosens is dropped where a repository asks for it', async () => {
    for (const defaultMode of ['bypassPermissions', 'auto', 'acceptEdits', 'plan', 'default', 'dontAsk'])
      for (const source of ['user', 'project', 'local'] as const) {
        const permissions = { defaultMode, allow: ['Read'] };
        await write({ user: { permissions: { defaultMode: 'plan' } }, [source]: { permissions } });
        const resolved = await ours.resolveSettings({ cwd });
        const filtered = ours.filterEscalatingDefaultMode(resolved);
        expect(filtered, `${source}: ${defaultMode}`).toEqual(theirs.filterEscalatingDefaultMode(resolved));
        expect(resolved.effective['permissions']).toMatchObject({ defaultMode });
      }
  });
});

const MODELS = [
  'opus',
  'opus[1m]',
  'claude-opus-4-5',
  ' CLAUDE-OPUS-4-5 ',
  'claude-opus-4-5-20251101',
  'claude-opus-4-5[1m]',
  'claude-opus-4-50',
  'claude-opus-4-0',
  'claude-opus-4-20250514',
  'claude-opus-4@20250514',
  'claude-opus-4.5',
  'us.anthropic.claude-opus-4-5-v1:0',
  'openrouter/anthropic/claude-opus-4-5',
  'claude-3-opus-20240229',
  'claude-3-5-sonnet',
  'claude-3-sonnet',
  'claude-sonnet-4-5@20250929',
  'claude-haiku-4-5',
  'claude-fable-5',
  'claude-opus',
  'default',
  'opusplan',
  'my-model',
  'My-Model[1m]',
  '',
];

describe('denied models', () => {
  it.each([...MODELS, 'opus-4', 'opus-4-5', 'sonnet', 'fable-5', 'best', '*', 'claude-*'])(
    '[SD653] the entry %j denies the models that it denies in the official package',
    async (entry) => {
      const mine = await ours.matchDeniedModels(MODELS, [entry]);
      expect(mine.denied).toEqual((await theirs.matchDeniedModels(MODELS, [entry])).denied);
    },
  );

  it('[SD653] what makes no sense denies nothing, throws nothing, and is warned of', async () => {
    for (const [models, list] of [
      ['opus', ['opus']],
      [['opus', 5, null], ['opus']],
      [['opus'], 'opus'],
      [['opus'], [5]],
      [['opus'], [' ']],
      [['opus'], undefined],
    ] as const) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- programs without types say such things
      const call = [models, list] as unknown as Parameters<typeof ours.matchDeniedModels>;
      const [mine, other] = await Promise.all([
        ours.matchDeniedModels(...call),
        theirs.matchDeniedModels(...call),
      ]);
      expect(mine.denied).toEqual(other.denied);
      expect(mine.warnings).toHaveLength(other.warnings.length);
    }
  });
});

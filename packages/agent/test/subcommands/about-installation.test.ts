import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { subcommandIn } from '../../src/command-line/subcommands.ts';
import { commandHome } from './run-command.ts';

describe('signalbox-agent', () => {
  it('[AG733] tells with auth status where its credentials come from, and exits 1 without any', async () => {
    const { home, run } = await commandHome();
    const config = join(home, '.claude');
    const facts = { apiProvider: 'firstParty', configDirectory: config, loginExpiresAt: null };
    const status = async (env: Record<string, string>): Promise<unknown[]> => {
      const { code, stdout } = await run(['auth', 'status', '--json'], { env });
      return [code, JSON.parse(stdout)];
    };
    expect(await status({})).toEqual([
      1,
      { loggedIn: false, authMethod: 'none', projectsDirectory: join(config, 'projects'), ...facts },
    ]);
    expect(await status({ ANTHROPIC_API_KEY: 'hidden' })).toMatchObject([
      0,
      { loggedIn: true, authMethod: 'api_key', apiKeySource: 'ANTHROPIC_API_KEY' },
    ]);
    expect(await status({ ANTHROPIC_AUTH_TOKEN: 'hidden' })).toMatchObject([
      0,
      { authMethod: 'oauth_token' },
    ]);
    const text = await run(['auth', 'status', '--text'], { env: { ANTHROPIC_API_KEY: 'hidden' } });
    expect(text).toEqual({ code: 0, stdout: 'API key: ANTHROPIC_API_KEY\n', stderr: '' });
    await mkdir(config);
    await writeFile(join(config, 'settings.json'), '{"apiKeyHelper": "echo hidden"}');
    expect(await status({})).toMatchObject([
      0,
      { authMethod: 'api_key_helper', apiKeySource: 'apiKeyHelper' },
    ]);
    expect(await run(['auth', 'login'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Set ANTHROPIC_API_KEY'),
    });
  });

  it('[AG734] tells with doctor what it stands on, and exits 1 when settings cannot be used', async () => {
    const { home, run } = await commandHome();
    const well = await run(['doctor']);
    expect(well).toMatchObject({ code: 0, stderr: '' });
    expect(well.stdout).toContain('No installation issues found.');
    expect(well.stdout).toContain('Credentials: none: set ANTHROPIC_API_KEY');
    await mkdir(join(home, '.claude'));
    await writeFile(join(home, '.claude', 'settings.json'), '{');
    const ill = await run(['doctor']);
    expect(ill).toMatchObject({ code: 1, stdout: expect.stringContaining('settings.json: is not JSON') });
    expect(await run(['doctor', '--nonsense'])).toMatchObject({
      code: 1,
      stderr: "error: unknown option '--nonsense'\n",
    });
  });

  it('[AG735] checks a plugin, lists none as installed, and says what to do in place of installing one', async () => {
    const { home, run } = await commandHome();
    expect(await run(['plugin', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect((await run(['plugin', 'marketplace', 'list', '--json'])).stdout).toBe('[]\n');
    expect(await run(['plugin', 'install', 'x@y'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--plugin-dir <folder>'),
    });
    const plugin = join(home, 'plugin');
    const manifest = join(plugin, '.claude-plugin', 'plugin.json');
    expect(await run(['plugin', 'validate', plugin])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('No manifest found'),
    });
    await mkdir(join(plugin, '.claude-plugin'), { recursive: true });
    await writeFile(manifest, '{"name": "mine"}');
    for (const path of [plugin, manifest])
      expect(await run(['plugin', 'validate', path])).toEqual({
        code: 0,
        stdout: `Validating plugin manifest: ${manifest}\n\n✔ Validation passed\n`,
        stderr: '',
      });
    const named = ['--model', 'opus', '--plugin-dir', plugin, '--plugin-dir', 'nowhere', 'plugin', 'list'];
    expect((await run(named)).stdout).toMatch(
      /^Session-only plugins .*\n\n {2}❯ mine@inline\n {4}Version: unknown\n {4}Path: .*\n {4}Status: ✔ loaded\n\n {2}❯ inline\[1\]: ✘ .*nowhere/,
    );
    expect(JSON.parse((await run([...named, '--json'])).stdout)).toMatchObject([
      { id: 'mine@inline', scope: 'session', enabled: true, installPath: plugin },
      { id: 'inline[1]', enabled: false, errors: [expect.stringContaining('nowhere')] },
    ]);
    await writeFile(manifest, '{"name": "not mine"}');
    expect(await run(['plugin', 'validate', plugin])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✘ Found 1 error:\n\n {2}❯ .*`name`.*\n\n✘ Validation failed\n$/),
    });
  });

  it('[AG735] are known behind flags, and are prompts after -p and --', () => {
    expect(subcommandIn(['--model', 'opus', 'mcp', 'list', '-x'])).toEqual({
      name: 'mcp',
      argv: ['list', '-x'],
      pluginDirs: [],
    });
    for (const argv of [['-p', 'doctor'], ['--', 'doctor'], ['--model', 'doctor'], ['mcp', 'serve'], []])
      expect(subcommandIn(argv)).toBeUndefined();
  });
});

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@signalbox/testing/until';
import { describe, expect, it } from 'vitest';
import { maskCommand } from '../../src/bridge/mask-command.ts';
import { runBridge, runWords, scripted, temporaryFolder } from './run-bridge.ts';
import { TestHub } from './test-hub.ts';

describe('the environment of a bridged agent', () => {
  it('[BR27] has nothing that a parent agent left, unless given, and nothing that is between bridge and hub', async () => {
    const hub = await TestHub.start({ token: 'hub-token' });
    const home = temporaryFolder();
    const bridge = runBridge({
      hub: hub.url,
      home,
      command: scripted('say(process.env)'),
      flags: ['--env', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', '--env', 'EXTRA=a=b'],
      env: {
        CLAUDECODE: '1',
        CLAUDE_CODE_ENTRYPOINT: 'cli',
        CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'of a parent',
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: '5',
        ANTHROPIC_MODEL: 'm',
        SIGNALBOX_TOKEN: 'hub-token',
      },
    });
    await bridge.exited;
    const env: Record<string, string> = JSON.parse(hub.saidIn('s')[0] ?? '{}');
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_OUTPUT_TOKENS: '5', EXTRA: 'a=b', ANTHROPIC_MODEL: 'm' });
    expect(Object.keys(env).filter((name) => /CLAUDECODE|ENTRYPOINT|TOKEN$/.test(name))).toEqual([]);
    expect(hub.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer hub-token']);
  });
});

describe('secrets of a bridge', () => {
  it('[BR28] are in no file, no command line and no report, and its files are its owner’s alone', async () => {
    const hub = await TestHub.start({ token: 'hub-secret' });
    const home = temporaryFolder();
    const bridge = runBridge({
      hub: hub.url,
      home,
      command: [...scripted('say({ ready: 1 }); process.stdin.resume();'), '--', '--api-key', 'agent-secret'],
      env: { SIGNALBOX_TOKEN: 'hub-secret' },
    });
    await until(() => hub.saidIn('s').length === 1);
    hub.cut();
    await until(() =>
      readFileSync(join(home, 'bridges', 's', 'bridge.log'), 'utf8').includes('reconnecting'),
    );
    const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
    for (const path of names.map((name) => join(home, name))) {
      const { mode } = statSync(path);
      expect(mode & 0o077, path).toBe(0);
      if (statSync(path).isFile()) expect(readFileSync(path, 'utf8')).not.toMatch(/hub-secret|agent-secret/);
    }
    expect(names.filter((name) => name.endsWith('.ndjson'))).toHaveLength(1);
    expect(readFileSync(`/proc/${bridge.pid}/cmdline`, 'utf8')).not.toContain('hub-secret');
    expect(JSON.stringify(hub.reportsOf('s'))).not.toMatch(/hub-secret|agent-secret/);
  });

  it('[BR28] what could be one in a command is masked, and in doubt it could be', () => {
    const shown = (...words: string[]): string =>
      maskCommand(['claude', ...words])
        .slice(1)
        .join(' ');
    expect(shown('-p', '--model', 'claude-opus-4-5', '--max-turns=3')).toBe(
      '-p --model claude-opus-4-5 --max-turns=3',
    );
    expect(shown('--add-dir', '/home/me/project')).toBe('--add-dir /home/me/project');
    expect(shown('--token', 'short', '--auth-token=short')).toBe('--token … --auth-token=…');
    expect(shown('--mcp-config', '{"env":{"KEY":"x"}}')).toBe('--mcp-config …');
    expect(shown('sk-ant-api03-abcdefgh', 'https://me:pw@host/')).toBe('… …');
    expect(shown('a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8')).toBe('…');
    expect(shown('fix the bug')).toBe('…');
  });
});

describe('a command line that is wrong', () => {
  it.each([
    [['--hub', 'ftp://x', '--', 'true'], 1, 'Write --hub ws://host:port'],
    [['--hub', 'ws://127.0.0.1:1', '--id', '../x', '--', 'true'], 1, 'cannot be the id of a bridge'],
    [['--hub', 'ws://127.0.0.1:1', '--env', 'NOT_THERE', '--', 'true'], 1, 'Write --env NAME=value'],
    [['--hub', 'ws://127.0.0.1:1', '--token-file', 'nowhere', '--', 'true'], 1, 'Cannot read the token'],
    [['--hub', 'ws://127.0.0.1:1', '--'], 2, 'Say what to run'],
    [['--fly', '--', 'true'], 2, 'come after --'],
    [['--', 'true'], 1, 'No hub has run on this machine yet'],
  ])('[BR29] %j is explained (exit code %i), and nothing is started', async (words, code, explanation) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'marker'), '');
    const bridge = runWords(home, words);
    expect(await bridge.exited).toEqual({ code, signal: null });
    expect(bridge.stderr()).toContain(explanation);
    expect(bridge.stderr()).not.toContain('    at ');
    expect(readdirSync(home)).toEqual(['marker']);
  });
});

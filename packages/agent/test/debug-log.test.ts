import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../../../test/programs.ts';
import { debugLog, MAX_DEBUG_LINE_CHARS, startDebugLog, stopDebugLog } from '../src/base/debug-log.ts';
import { maskSecrets } from '../src/base/mask-secrets.ts';

afterEach(stopDebugLog);

async function logFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-debug-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'logs', 'debug.log');
}

describe('the debug log', () => {
  it('[AG29] puts nothing together while nobody listens', () => {
    const log = debugLog('api');
    log(() => expect.unreachable());
    startDebugLog({ filter: '!api', env: {} });
    log(() => expect.unreachable());
    startDebugLog({ filter: 'hooks, mcp', env: {} });
    log(() => expect.unreachable());
  });

  it('[AG29] writes the categories that are wanted, a line each, with the time', async () => {
    const file = await logFile();
    const [api, hooks] = [debugLog('api'), debugLog('hooks')];
    startDebugLog({ file, env: {} });
    api(() => 'one');
    hooks(() => 'two\r\nforged');
    startDebugLog({ file, filter: '!hooks', env: {} });
    api(() => 'x'.repeat(2 * MAX_DEBUG_LINE_CHARS));
    hooks(() => 'three');
    startDebugLog({ file, filter: 'HOOKS', env: {} });
    api(() => 'four');
    hooks(() => 'five');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /, '').slice(0, 20))).toEqual([
      'api: one',
      'hooks: two\\nforged',
      'api: xxxxxxxxxxxxxxx',
      'hooks: five',
    ]);
    expect(lines[2]?.length).toBeLessThan(MAX_DEBUG_LINE_CHARS + 100);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('[AG29] goes to stderr without a file, and says when a file cannot be written', async () => {
    const script = builtProgram('packages/agent/test/debug-child.ts');
    const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'a key of mine' };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], {
      env,
    });
    expect([stdout, stderr.replace(/^\S+ /, '')]).toEqual(['', 'api: asked with ***\n']);
    const file = await logFile();
    await writeFile(join(file, '../..', 'logs'), 'in the way');
    for (const hopeless of [file, '/proc/none/of/it'])
      expect(() => startDebugLog({ file: hopeless, env: {} })).toThrow('--debug-file cannot be written');
  });

  it('[AG30] never shows keys, tokens and the headers that carry them', async () => {
    const file = await logFile();
    const env = { MY_TOKEN: 'hunter2-hunter2', HOME: '/home/me', PASSWORD: 'x' };
    startDebugLog({ file, env });
    const log = debugLog('api');
    const texts = [
      'said hunter2-hunter2 aloud',
      'key sk-ant-api03-abcdefghijkl_mnop',
      'authorization: Bearer abc.def-ghi',
      '{"x-api-key":"open sesame","model":"m"}',
      "headers { 'x-api-key': 'open sesame', cookie: 'a=1' }",
      'https://me:open@example.com/?access_token=open&x=1',
      'OPENAI_API_KEY=open npm test',
    ];
    for (const text of texts) log(() => text);
    const shown = await readFile(file, 'utf8');
    expect(shown).not.toMatch(/hunter2|abcdef|abc\.def|open|a=1/);
    expect(shown).toContain('"model":"m"');
    expect(shown).toContain('&x=1');
    expect(shown).toContain('npm test');
  });

  it('[AG30] leaves other texts as they are, and takes linear time', () => {
    const text = 'max_tokens: 100, "input_tokens": 5, a keyboard = 1, a token is nice, /home/me';
    expect(maskSecrets(text, [])).toBe(text);
    for (const part of ['a-', 'token', '"token":', '//a:', 'Bearer ', "'", 'sk-']) {
      expect(maskSecrets(part.repeat(50_000), []).length).toBeGreaterThan(0);
    }
  });
});

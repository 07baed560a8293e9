import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { COMMANDS, runCommandLine } from '../src/command-line.ts';
import { wordsIn } from '../src/completion/help-words.ts';
import { SCRIPTS } from '../src/completion/scripts.ts';
import { changed } from '../src/config/known-settings.ts';
import { helpOf } from '../src/print-help.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/CLI.md', import.meta.url), 'utf8');

/** What the table of exit codes says of each command. */
const ROWS = new Map(
  Array.from(DOCUMENT.matchAll(/^\| `([a-z]+)` \| (yes)? ?\| .* \| .*\|$/gm), ([, name = '', json]) => [
    name,
    json === 'yes',
  ]),
);

/** Run a command here; gives its exit code and what it wrote. */
async function run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    });
  const code = await runCommandLine(words);
  vi.restoreAllMocks();
  return { code, ...written };
}

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  vi.stubEnv('SIGNALBOX_HOME', folder);
  return folder;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('the table of commands', () => {
  it('[CL2010] is in the document with its exit codes, and says which have --json', async () => {
    expect([...ROWS.keys()]).toEqual(COMMANDS.map(({ name }) => name));
    for (const { name, run: command } of COMMANDS) {
      if (name === 'model') continue;
      const help = await helpOf(() => command(['--help'], () => new AbortController().signal));
      expect([name, /--json\b/.test(help)]).toEqual([name, ROWS.get(name)]);
    }
  });

  it('[CL2010] has no command that takes an option for anything else', async () => {
    home();
    for (const { name } of COMMANDS)
      expect([name, (await run(name, '--no-such-option')).code]).toEqual([name, 2]);
  });

  it('[CL2011] is what completes in a shell', async () => {
    const { stdout } = await run('completion', 'bash');
    const complete = (...words: string[]): string[] => {
      const line = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _signalbox; echo "\${COMPREPLY[@]}"`;
      const said = execFileSync('bash', ['-c', `${stdout}\n${line}`], { encoding: 'utf8', cwd: '/' });
      return said.trim().split(' ');
    };
    expect(complete('signalbox', 'se')).toEqual(['sessions', 'search']);
    expect(complete('signalbox', 'sessions', 'r')).toEqual(['restart', 'rm']);
    expect(complete('signalbox', 'up', '--re')).toEqual(['--replace']);
    expect(complete('signalbox', 'rules', '--de')).toEqual(['--deny']);
    expect(complete('signalbox', 'backup', 'et')).toEqual(['etc']);
    for (const shell of ['zsh', 'fish']) {
      const script = (await run('completion', shell)).stdout;
      for (const { name } of COMMANDS) if (name !== 'model') expect(script).toContain(name);
      expect(script).toMatch(/replace/);
    }
    expect((await run('completion', 'csh')).code).toBe(2);
    expect(Object.keys(SCRIPTS)).toEqual(['bash', 'zsh', 'fish']);
    expect(
      wordsIn('x', '', 'Usage: signalbox x go|stop\n\n  -o, --out FILE  there\n  --a, --b  both\n'),
    ).toMatchObject({
      words: ['go', 'stop'],
      options: ['--out', '--a', '--b'],
    });
  });
});

describe('signalbox config', () => {
  it('[CL2012] says what is set and where, and changes the file by names', async () => {
    const file = join(home(), 'config.json');
    expect((await run('config')).stdout).toContain('Nothing is set');
    const agents = { mine: { command: ['/bin/true'], env: { KEY: 'a-secret' } } };
    writeFileSync(file, JSON.stringify({ agents, host: '127.0.0.1' }));
    expect((await run('config', 'set', 'name', 'a.example', 'b.example')).code).toBe(0);
    expect((await run('config', 'set', 'retention.eventDays', '30')).code).toBe(0);
    expect((await run('config', 'set', 'open-relay', 'true')).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      agents,
      host: '127.0.0.1',
      name: ['a.example', 'b.example'],
      retention: { eventDays: 30 },
      'open-relay': true,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    vi.stubEnv('SIGNALBOX_HOST', '::1');
    const listed = JSON.parse((await run('config', '--json')).stdout);
    expect(listed).toContainEqual({ name: 'host', value: '::1', from: 'SIGNALBOX_HOST' });
    expect(listed).toContainEqual({ name: 'retention.eventDays', value: 30, from: file });
    expect(listed).toContainEqual({ name: 'agents.mine', value: ['/bin/true'], from: file });
    expect(JSON.stringify(listed)).not.toContain('a-secret');
    expect(await run('config', 'get', 'name')).toMatchObject({ code: 0, stdout: 'a.example b.example\n' });
    expect((await run('config', 'get', 'port')).code).toBe(1);
    expect((await run('config', 'unset', 'retention.eventDays')).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).not.toHaveProperty('retention');
  });

  it('[CL2012] writes nothing that a hub would not start with', async () => {
    const file = join(home(), 'config.json');
    await run('config', 'set', 'port', '9000');
    const before = readFileSync(file, 'utf8');
    for (const [code, ...words] of [
      [1, 'set', 'port', 'nine'],
      [1, 'set', 'log', 'loud'],
      [1, 'set', 'retention.eventDays', '0'],
      [2, 'set', 'retention.eventDays', 'many'],
      [2, 'set', 'open-relay', 'perhaps'],
      [2, 'set', 'port'],
      [2, 'set', 'port', '1', '2'],
      [2, 'set', 'agents.mine', 'x'],
      [2, 'get'],
      [2, 'forget', 'port'],
    ] as const)
      expect([words, (await run('config', ...words)).code]).toEqual([words, code]);
    expect(readFileSync(file, 'utf8')).toBe(before);
    writeFileSync(file, '{ no json');
    expect(await run('config', 'set', 'port', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(file),
    });
    expect(readFileSync(file, 'utf8')).toBe('{ no json');
    expect(changed({ a: { b: 1, c: 2 } }, 'a.b', undefined)).toEqual({ a: { c: 2 } });
  });
});

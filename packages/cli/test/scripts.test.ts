import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HubStage, runSignalbox, SIGNALBOX } from './hub-stage.ts';

type Expected = readonly [code: number, words: string];

/** What succeeds on a hub with one session, with what it exits. */
const WORKS: readonly Expected[] = [
  [0, 'sessions'],
  [0, 'sessions --state ready'],
  [0, 'sessions --nearby'],
  [0, 'answer'],
  [0, 'answer --list'],
  [0, 'search hello'],
  [1, 'search nobody-said-this'],
  [0, 'conversations'],
  [0, 'fork --list'],
  [0, 'worktrees'],
  [0, 'worktrees sweep'],
  [0, 'rules'],
  [0, 'rules suggest'],
  [0, 'rules add Bash(ls:*) --allow'],
  [0, 'rules test Bash(ls:*) --allow'],
  [0, 'budgets'],
  [0, 'budgets add --usd 900'],
  [0, 'spend'],
  [0, 'spend --by model'],
  [0, 'profiles'],
  [0, 'notices'],
  [0, 'notices log'],
  [0, 'terminal --list'],
  [0, 'link'],
  [0, 'devices'],
  [0, 'trust --list'],
  [0, 'storage'],
  [0, 'storage sweep --trial'],
  [0, 'config'],
  [0, 'loops'],
  [0, 'loop --detach --until-text never hello'],
  [0, 'run --detach hello'],
  [0, 'backup {file}'],
  [1, 'trust --look'],
];

/** What names something that is not there. */
const UNKNOWN: readonly Expected[] = [
  [1, 'sessions stop zzzz'],
  [1, 'sessions restart zzzz'],
  [1, 'sessions rm zzzz --yes'],
  [1, 'answer zzzz allow'],
  [2, 'search x --session zzzz'],
  [1, 'fork zzzz'],
  [1, 'worktrees rm zz/zz --yes'],
  [1, 'rules rm zzzz'],
  [1, 'rules --session zzzz'],
  [1, 'budgets rm zzzz'],
  [1, 'budgets raise zzzz --usd 3'],
  [1, 'budgets allow zzzz'],
  [1, 'profiles rm zzzz'],
  [1, 'notices rm zzzz'],
  [1, 'notices test zzzz'],
  [1, 'terminal zzzz'],
  [1, 'terminal --end 99'],
  [1, 'devices revoke zzzz'],
  [1, 'loops stop zzzz'],
  [1, 'loops watch zzzz'],
  [1, 'loops rm zzzz'],
  [1, 'run --session zzzz hello'],
  [1, 'restore {file}'],
  [1, 'store copy --to postgres://127.0.0.1:1/nobody'],
];

/** What needs a hub. */
const NEEDS_HUB = [
  'sessions',
  'answer',
  'search x',
  'conversations',
  'fork x',
  'worktrees',
  'rules',
  'budgets',
  'spend',
  'profiles',
  'notices',
  'terminal --list',
  'link',
  'devices',
  'storage',
  'loops',
  'loop hello',
  'run hello',
  'backup {file}',
];

/** Works without a hub and says so, or takes none. */
const NEEDS_NONE = ['trust', 'config', 'restore', 'doctor', 'down'];

const failureOf = (words: string): number => (words.startsWith('search') ? 2 : 1);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The command and its options, with `--json`, and a file that is not there for `{file}`. */
function split(words: string, home: string): string[] {
  return [...words.split(' ').map((word) => (word === '{file}' ? join(home, 'none.db') : word)), '--json'];
}

describe('commands in scripts', () => {
  it('[CL3341] print JSON alone with --json and exit as documented; what fails prints nothing but its reason on stderr', async () => {
    const stage = await HubStage.start();
    expect((await stage.run('run', '--agent', 'signalbox-agent', 'say hello')).code).toBe(0);
    for (const [code, words] of WORKS) {
      const outcome = await stage.run(...split(words, stage.home));
      expect({ words, ...outcome, isJson: isJson(outcome.stdout) }).toMatchObject({
        words,
        code,
        isJson: true,
      });
    }
    for (const [code, words] of UNKNOWN) {
      const outcome = await stage.run(...split(words.replace('{file}', '/nowhere.db'), stage.home));
      expect({ words, ...outcome }).toEqual({
        words,
        code,
        stdout: '',
        stderr: expect.stringMatching(/^signalbox [a-z]+: \S/),
      });
    }
  });

  it('[CL3342] say without a hub, and with a token that is none, what is wrong, and exit as documented', async () => {
    const stage = await HubStage.start();
    const home = join(stage.home, 'empty');
    mkdirSync(home, { mode: 0o700 });
    const { SIGNALBOX_HOME: _, ...env } = stage.env;
    for (const words of NEEDS_HUB) {
      const none = await runSignalbox({ ...env, SIGNALBOX_HOME: home }, home, ...split(words, home));
      expect({ words, ...none }).toEqual({
        words,
        code: failureOf(words),
        stdout: '',
        stderr: expect.stringContaining('No hub runs here'),
      });
      const wrong = { SIGNALBOX_HOME: home, SIGNALBOX_HUB: stage.url, SIGNALBOX_TOKEN: 'nonsense' };
      const refused = await runSignalbox({ ...env, ...wrong }, home, ...split(words, home));
      expect({ words, ...refused }).toEqual({
        words,
        code: failureOf(words),
        stdout: '',
        stderr: expect.stringContaining('A valid token is needed'),
      });
    }
  });

  it('[CL3343] end well when whoever reads their output has seen enough', async () => {
    const stage = await HubStage.start();
    const long = 'word '.repeat(20_000);
    await stage.run('run', '--agent', 'signalbox-agent', `say ${long}`);
    const [session] = (await stage.api.sessions()).items;
    const commands = ['sessions --json', `export ${session?.id}`, 'completion bash', 'search word', '--help'];
    for (const words of commands) {
      const child = spawn(process.execPath, [SIGNALBOX, ...words.split(' ')], { env: stage.env });
      child.stdout.destroy();
      let said = '';
      child.stderr.on('data', (chunk) => {
        said += String(chunk);
      });
      const [code, signal] = await once(child, 'close');
      expect({ words, code, signal, said }).toEqual({ words, code: 0, signal: null, said: '' });
    }
  });

  it('[CL3343] end well when the reader of both of their outputs has seen enough', async () => {
    const stage = await HubStage.start();
    // What comes last is on stderr, after the reader has left.
    const run =
      'set -o pipefail; "$0" "$1" run --agent signalbox-agent "say one" 2>&1 | head -c 1; echo " $?"';
    const shell = spawn('bash', ['-c', run, process.execPath, SIGNALBOX], {
      env: stage.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const chunk of shell.stdout) said += String(chunk);
    expect(said).toMatch(/^. 0\n$/);
    expect((await stage.run('down', '--agents')).code).toBe(0);
  });

  it('[CL3341] are all there with --json that docs/CLI.md says have it', () => {
    const text = readFileSync(new URL('../../../docs/CLI.md', import.meta.url), 'utf8');
    const named = Array.from(text.matchAll(/^\| `([a-z]+)` \| yes \|/gm), ([, name]) => name);
    const tried = [...WORKS, ...UNKNOWN].map(([, words]) => words).concat(NEEDS_HUB, NEEDS_NONE);
    const known = new Set(tried.map((words) => words.split(' ')[0]));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });
});

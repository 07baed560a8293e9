import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runModelCommand } from '../src/index.ts';
import { model, post, said, user } from './client.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-command-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The command, running: what it wrote so far, and a way to stop it. */
function start(...argv: string[]) {
  const stop = new AbortController();
  const out = { stdout: '', stderr: '' };
  const code = runModelCommand(argv, {
    stdout: { write: (text) => (out.stdout += text) },
    stderr: { write: (text) => (out.stderr += text) },
    signal: stop.signal,
  });
  return { out, code, stop };
}

async function listening(out: { stdout: string }): Promise<string> {
  await expect.poll(() => out.stdout).toContain('ANTHROPIC_BASE_URL');
  return /ANTHROPIC_BASE_URL=(\S+)/.exec(out.stdout)?.[1] ?? '';
}

describe('signalbox model', () => {
  it('[SM39] prints how to use it, logs a line for each request, and ends when told to', async () => {
    const { out, code, stop } = start('--script', 'puppet', '--latency', '5');
    const url = await listening(out);
    expect(out.stdout).toBe(
      `Scripted model "puppet" at ${url}\n\n  export ANTHROPIC_BASE_URL=${url}\n  export ANTHROPIC_API_KEY=scripted\n\n`,
    );
    expect(await said({ url }, user('say "hi"\nthere'))).toBe('"hi"\nthere');
    await fetch(`${url}/`, { method: 'HEAD' });
    await said({ url }, user('quota', { max_tokens: 1 }));
    await expect.poll(() => out.stderr.split('\n')).toHaveLength(4);
    expect(out.stderr.split('\n')).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d  POST  \/v1\/messages  200  turn say  \d+ms  "say \\"hi\\"\\nthere"$/,
      ),
      expect.stringMatching(/  HEAD  \/  404  refused  \d+ms$/),
      expect.stringMatching(/  200  background probe  \d+ms  "quota"$/),
      '',
    ]);
    stop.abort();
    expect(await code).toBe(0);
    await expect(post({ url }, user('hi'))).rejects.toThrow();
  });

  it('[SM39] plays the demonstration when not told otherwise, and lists what else there is', async () => {
    const { out, code, stop } = start();
    await listening(out);
    expect(out.stdout).toContain('Scripted model "demo"');
    stop.abort();
    expect(await code).toBe(0);
    const list = start('--list');
    expect(await list.code).toBe(0);
    expect(list.out.stdout).toMatch(/^demo +a short .*\npuppet +does what you type/);
    const help = start('--help');
    expect([await help.code, help.out.stdout]).toEqual([0, expect.stringContaining('--upstream URL')]);
  });

  it('[SM39] records what another API answers', async () => {
    const upstream = await model('puppet');
    const file = join(folder, 'recorded.json');
    const { out, code, stop } = start('--record', file, '--upstream', upstream.url);
    const url = await listening(out);
    expect(out.stdout).not.toContain('API_KEY');
    expect(await said({ url }, user('say hi'))).toBe('hi');
    stop.abort();
    expect(await code).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8')).turns).toHaveLength(1);
  });

  it('[SM40] answers a mistake with one clear message and exit code 2', async () => {
    const { port } = await model('puppet');
    const bad = join(folder, 'bad.json');
    await writeFile(bad, '{"name":"x","trns":[]}');
    const cases: readonly (readonly [string[], string])[] = [
      [
        ['--port', String(port)],
        `port ${port} on 127.0.0.1 is in use: choose another, or 0 for any free one`,
      ],
      [['--script', 'absent.json'], 'no built-in scenario and no readable file is called "absent.json"'],
      [
        ['--script', bad],
        `${bad} is not valid:\n  turns: missing; expected array\n  unknown key "trns"; did you mean "turns"?`,
      ],
      [['--nonsense'], "Unknown option '--nonsense'"],
      [['demo'], 'Unexpected argument'],
      [['--port', '70000'], '--port takes a whole number up to 65535'],
      [['--latency', 'soon'], '--latency takes a whole number'],
      [['--host', 'no.such.host.invalid'], 'cannot listen on no.such.host.invalid:0'],
      [['--record', 'x.json'], '--record and --upstream go together'],
      [['--record', 'x.json', '--upstream', 'http://x', '--script', 'demo'], '--record takes no --script'],
      [['--record', bad, '--upstream', 'http://x'], `cannot record into ${bad}: the file exists already`],
      [['--record', 'x.json', '--upstream', 'x'], 'the upstream must be an http or https address'],
    ];
    for (const [argv, message] of cases) {
      const { out, code } = start(...argv);
      expect(await code).toBe(2);
      expect(out.stderr).toContain(`signalbox model: ${message}`);
      expect(out.stderr).not.toMatch(/^\s+at /m);
      expect(out.stdout).toBe('');
    }
  });
});

import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exampleCommand, exampleEnvironment, ROOT } from './example-program.ts';

/** What each example is known by. */
const PRINTED: Record<string, string[]> = {
  hello: ['Hello! I am an agent'],
  streaming: ['One train leaves at nine, one at ten', 'tokens, $'],
  permissions: [
    'allowed this once',
    'Not permitted: the deny rule Bash(rm:*) matches.',
    'I leave it as it is',
  ],
  hooks: ['(logged: Write)', 'Nobody writes to .env.', 'The keys stay where they are.'],
  'mcp-tool': ['Your train: 09:17 to Merge Junction from platform 2.'],
  'multi-agent': ['optimist: It will be faster.', 'pessimist: It will break', 'accountant: It will cost'],
  'resume-and-fork': [
    'I have answered 1 times before',
    'I have answered 2 times before',
    'fork: The same, once more',
    'original: A number to remember',
  ],
  listen: ['observer: claude code connected', 'You said: Which platform?'],
  loop: ['2: One sleeper is laid. The condition is unmet.', 'done after 3 iterations'],
  'budget-guard': ['Done: sort the tickets ($0.10)', 'Stopped before "paint the signals": 2 tasks left'],
};

describe('examples', () => {
  it('[SD170] each example is run here', async () => {
    const files = await readdir(join(ROOT, 'examples'));
    const expected = [...Object.keys(PRINTED), 'browser-chat', 'stage'].map((name) => `${name}.ts`);
    expect(files.filter((file) => file.endsWith('.ts')).toSorted()).toEqual(expected.toSorted());
  });

  it.each(Object.entries(PRINTED))(
    '[SD170] %s does what it says, and leaves nothing behind',
    async (name, texts) => {
      const env = await exampleEnvironment();
      const { stdout, stderr } = await promisify(execFile)(process.execPath, exampleCommand(name), {
        cwd: ROOT,
        env,
      });
      for (const text of texts) expect(stdout).toContain(text);
      expect(stderr).toBe('');
      expect((await readdir(env['HOME'] ?? '')).filter((file) => file.startsWith('signalbox-'))).toEqual([]);
    },
  );
});

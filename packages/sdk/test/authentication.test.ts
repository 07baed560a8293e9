import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { query } from '../src/index.ts';
import { collect, fakeAgent, thrownBy } from './fake-agent.ts';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));

describe('credentials', () => {
  it('[SD220] an agent that its model does not let in says so, and what to do', async () => {
    const failed = (error: string): string => `return {
      user: () => {
        out({ type: 'assistant', error: '${error}', message: { content: [] } });
        result({ subtype: 'success', is_error: true, result: 'Not logged in' });
      },
      end: () => process.exit(1) };`;
    const agent = await fakeAgent(failed('authentication_failed'));
    expect(await thrownBy(collect(query({ prompt: 'x', options: agent.options() })))).toMatchObject({
      code: 'NOT_AUTHENTICATED',
      result: { result: 'Not logged in' },
      cause: { exitCode: 1 },
      message: expect.stringMatching(/Not logged in[^]*ANTHROPIC_API_KEY[^]*log in[^]*signalbox model/),
    });
    const other = await fakeAgent(failed('rate_limit'));
    expect(await thrownBy(collect(query({ prompt: 'x', options: other.options() })))).toMatchObject({
      code: 'RESULT_ERROR',
      message: 'The last turn of the agent failed: Not logged in (Claude Code process exited with code 1)',
    });
  });

  it('[SD220] our own agent without a key does', async () => {
    const home = await mkdtemp(join(tmpdir(), 'signalbox-no-key-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const env = { PATH: process.env['PATH'], HOME: home, SIGNALBOX_EXECUTABLE: AGENT };
    expect(await thrownBy(collect(query({ prompt: 'x', options: { env } })))).toMatchObject({
      code: 'NOT_AUTHENTICATED',
      message: expect.stringContaining('No credentials'),
    });
  });
});

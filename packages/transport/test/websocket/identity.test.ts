import { fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bearerToken } from '../../src/websocket/bearer-token.ts';
import { comeBack, dialBare } from './scene.ts';

describe('identity', () => {
  it('[WS7] the token comes from the environment, else from the program, else from a descriptor', () => {
    const descriptor = openToken('of-the-descriptor\n');
    const env = { CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR: String(descriptor) };
    const ingressToken = 'of-the-program';
    expect(
      bearerToken({ env: { ...env, CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'of-the-environment' }, ingressToken }),
    ).toBe('of-the-environment');
    expect(bearerToken({ env, ingressToken })).toBe('of-the-program');
    expect(bearerToken({ env })).toBe('of-the-descriptor');
    expect(bearerToken({ env: {} })).toBeUndefined();
    // It was read, closed, and is remembered.
    expect(() => fstatSync(descriptor)).toThrow('EBADF');
    expect(bearerToken({ env })).toBe('of-the-descriptor');
  });

  it.each(['', 'x', '-1', '1.5', '999999'])('[WS7] %j as a descriptor is no token', (text) => {
    expect(bearerToken({ env: { CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR: text } })).toBeUndefined();
  });

  it('[WS7] every request names the token and the version of the runner, as they are then', async () => {
    const env: NodeJS.ProcessEnv = {
      CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'token-1',
      CLAUDE_CODE_ENVIRONMENT_RUNNER_VERSION: '7.8.9',
    };
    const { server, transport } = await dialBare({ env, headers: { 'x-more': 'yes' } });
    env.CLAUDE_CODE_SESSION_ACCESS_TOKEN = 'token-2';
    await comeBack(server, transport);
    const seen = server.requests.map(({ headers }) => [
      headers.authorization,
      headers['x-environment-runner-version'],
      headers['x-more'],
    ]);
    expect(seen).toEqual([
      ['Bearer token-1', '7.8.9', 'yes'],
      ['Bearer token-2', '7.8.9', 'yes'],
    ]);
  });

  it('[WS7] without a token and a runner the request names neither', async () => {
    const { server } = await dialBare();
    const names = Object.keys(server.requests[0]?.headers ?? {});
    expect(names).not.toContain('authorization');
    expect(names).not.toContain('x-environment-runner-version');
    expect(names).not.toContain('x-last-request-id');
    expect(names).not.toContain('x-signalbox-link');
  });
});

function openToken(content: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'token');
  writeFileSync(file, content);
  return openSync(file, 'r');
}

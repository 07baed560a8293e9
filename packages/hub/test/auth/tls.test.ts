import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { makeCertificate } from '@signalbox/testing/hub/certificate';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

describe('TLS', () => {
  it('[AP35] by certificate files covers the API, the stream and the doors of agents', async () => {
    const home = temporaryFolder();
    const { cert, key } = makeCertificate(home);
    const ca = readFileSync(cert);
    const { url, token } = await up(home, ['--cert', cert, '--key', key]);
    expect(url).toMatch(/^https:/);
    const [me] = await once(
      request(`${url}/api/me`, { ca, headers: { authorization: `Bearer ${token}` } }).end(),
      'response',
    );
    expect(me.statusCode).toBe(200);
    for (const door of ['/api/stream', '/ws/s', '/agent/s2']) {
      const socket = new WebSocket(`${url.replace('https', 'wss')}${door}`, {
        ca,
        headers: { authorization: `Bearer ${token}` },
      });
      await once(socket, 'open');
      socket.terminate();
    }
    const plain = new WebSocket(`${url.replace('https', 'ws')}/api/stream`);
    const [refused] = await once(plain, 'error');
    expect(refused).toBeInstanceOf(Error);
  });
});

async function up(home: string, flags: readonly string[]): Promise<{ url: string; token: string }> {
  const { output } = runUp([...UP, ...flags], home);
  const url = await until(() => /is up at (\S+)/.exec(output())?.[1]);
  return { url, token: readFileSync(join(home, 'token'), 'utf8').trim() };
}

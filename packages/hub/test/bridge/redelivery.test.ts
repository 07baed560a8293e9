import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { leftRuns } from '../../src/bridge/left-run.ts';
import { redeliver } from '../../src/bridge/redelivery.ts';

describe('what a bridge left', () => {
  it('[BR560] is not sent again and again to a hub that greets without end', async () => {
    const outbox = mkdtempSync(join(tmpdir(), 'signalbox-outbox-'));
    onTestFinished(() => rmSync(outbox, { recursive: true, force: true }));
    mkdirSync(join(outbox, '1-epoch'));
    writeFileSync(join(outbox, '1-epoch', '1.ndjson'), '{"n":1}\n{"n":2}\n');
    const port = await freePort();
    const hub = new WebSocketServer({ host: '127.0.0.1', port });
    onTestFinished(() => {
      for (const socket of hub.clients) socket.terminate();
      hub.close();
    });
    await once(hub, 'listening');
    hub.on('headers', (headers) => headers.push('x-signalbox-link: 1'));
    hub.on('connection', (socket) => {
      const hello = Buffer.from(JSON.stringify({ link: 'hello', epoch: 'hub', received: null }));
      for (let said = 0; said < 3; said += 1) socket.send(hello, { binary: true });
    });
    const [run] = leftRuns(outbox);
    if (!run) throw new Error('there is no run');
    const address = { url: new URL(`ws://127.0.0.1:${port}`), token: () => undefined };
    await expect(redeliver(run, address, new AbortController().signal)).rejects.toThrow('second hello');
  });
});

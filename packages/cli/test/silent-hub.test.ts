import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SIGNALBOX } from './hub-stage.ts';

describe('a hub that takes connections and says nothing', () => {
  it.each([['sessions'], ['attach'], ['run', 'hello'], ['devices']])(
    '[CL560] signalbox %s ends at the first Ctrl-C',
    async (...words) => {
      const home = mkdtempSync(join(tmpdir(), 'signalbox-silent-'));
      const port = await freePort();
      const hub = createServer((socket) => socket.on('error', () => {})).listen(port, '127.0.0.1');
      await once(hub, 'listening');
      const env = { ...process.env, HOME: home, SIGNALBOX_HOME: home, SIGNALBOX_TOKEN: 'x' };
      const asking = once(hub, 'connection');
      const child = spawn(process.execPath, [SIGNALBOX, ...words, '--hub', `http://127.0.0.1:${port}`], {
        env,
        stdio: 'ignore',
      });
      onTestFinished(() => {
        child.kill('SIGKILL');
        hub.close();
        rmSync(home, { recursive: true, force: true });
      });
      const [socket] = await asking;
      await once(socket, 'data');
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      expect(await ended).toEqual([null, 'SIGINT']);
      socket.destroy();
    },
  );
});

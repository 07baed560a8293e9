import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { HubServer } from '../../src/doors/http/hub-server.ts';

const HEAD = 'GET / HTTP/1.1\r\nhost: hub\r\n';
const UPGRADE =
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\nsec-websocket-version: 13\r\n';

it('[HB1918] a request that comes while the hub starts is answered once it serves', async () => {
  const server = await HubServer.listen({ host: '127.0.0.1', port: 0 });
  const send = async (headers: string) => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${HEAD}${headers}\r\n`);
    return socket;
  };
  const request = await send('connection: close\r\n');
  const upgrade = await send(UPGRADE);
  // Both were read by the time that a third one is here.
  (await send('connection: close\r\n')).destroy();
  server.serve(
    async (_, response) => void response.end('served'),
    async (_, stream) => void stream.end('HTTP/1.1 418 Upgraded\r\n\r\n'),
  );
  expect(await text(request)).toContain('served');
  expect(await text(upgrade)).toContain('418 Upgraded');
  await server.close(0);
});

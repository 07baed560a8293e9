import { once } from 'node:events';
import { connect } from 'node:net';
import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer } from '../live/test-viewer.ts';

// Elsewhere: a line over 64 MB (HB9), an answer to what was answered or withdrawn (HB21, HB22), a cursor from the
// future (HB42), a body over the limit (HB51), a disk that fills up and a newer database (AP42, AP43).

describe('bad input', () => {
  it('[AP40] on the stream is answered, or ends that connection alone', async () => {
    const { hub, store, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(async () => (await store.sessions.get('s'))?.state === 'idle');
    const bystander = await TestViewer.connect(hub.url, token);
    await bystander.ask({ type: 'subscribe', session: 's' });
    const viewer = await TestViewer.connect(hub.url, token);
    const nonsense = [
      '',
      'no json',
      '[]',
      'null',
      '{"type":"subscribe"',
      '{"id":1}',
      '{"id":"x","type":"rule"}',
    ];
    for (const text of nonsense) viewer.socket.send(text);
    viewer.socket.send(Buffer.from([0xff, 0xfe, 0x00, 0x01]));
    await until(() => viewer.told.length === nonsense.length + 1);
    for (const { type, code } of viewer.told) expect([type, code]).toEqual(['error', 'REQUEST_INVALID']);
    const requests = [
      [{ type: 'subscribe', session: '../../etc/passwd' }, 'REQUEST_INVALID'],
      [{ type: 'subscribe', session: 's', cursor: { seq: -1, check: 0 } }, 'REQUEST_INVALID'],
      [{ type: 'subscribe', session: 'unknown' }, 'STORE_SESSION_NOT_FOUND'],
      [{ type: 'user-message', session: 's', content: [{ type: 'text' }] }, 'MESSAGE_INVALID'],
      [{ type: 'answer', session: 's', request: 'none', answer: { behavior: 'allow' } }, 'ASK_NOT_FOUND'],
      [{ type: 'control', session: 's', request: { subtype: 'initialize' } }, 'REQUEST_INVALID'],
    ] as const;
    for (const [message, code] of requests)
      expect(await viewer.ask(message)).toMatchObject({ type: 'error', code });
    viewer.socket.send('x'.repeat(40 * 1024 * 1024));
    expect((await until(() => viewer.closed)).code).toBe(1009);
    await agent.play('still here');
    await bystander.find(({ message }) => message?.result === 'still here');
  });

  it('[AP40] that is no WebSocket at all ends its connection, and nothing else', async () => {
    const { hub, token } = await startTestHub();
    const garbage = [
      Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0x81, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f]),
      Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    ];
    for (const path of ['/api/stream', '/ws/s']) {
      for (const bytes of garbage) {
        const socket = connect(hub.port, '127.0.0.1');
        socket.on('error', () => {});
        socket.write(
          `GET ${path}?token=${token} HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
            'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
        );
        const [head] = await once(socket, 'data');
        expect(String(head)).toContain('101');
        socket.write(bytes);
        socket.resume();
        await once(socket, 'close');
      }
    }
    const half = connect(hub.port, '127.0.0.1');
    half.end('GET /api/me HTTP/1.1\r\nhost');
    await once(half.resume(), 'close');
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
  });

  it('[AP41] of an agent is kept as it is: it cannot speak for the hub, for people or for another session', async () => {
    const { hub, store, token } = await startTestHub();
    const { body } = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    await call(hub.url, token, 'POST', '/api/sessions', { id: 'other' });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, body.token);
    const lines = [
      'not json at all',
      '{"type":"control_request"}',
      '{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool"}}',
      '{"type":"control_request","request_id":"r2","request":7}',
      '{"type":"control_response","response":null}',
      '{"type":"control_cancel_request","request_id":"nobody"}',
      '{"type":"hub","subtype":"gap","from":1,"to":9}',
      '{"type":"user","session":"other","author":{"by":"person","name":"Ada","device":"laptop"}}',
    ];
    for (const line of lines) await agent.transport.send(line);
    await agent.say(assistant('end'));
    await until(async () =>
      (await store.record.tail('s')).entries.some((entry) => textOf(entry).includes('"end"')),
    );
    const { entries } = await store.record.tail('s');
    const said = entries.filter((entry) => entry.kind === 'line' && entry.author.by === 'agent').map(textOf);
    for (const line of lines) expect(said).toContain(line);
    expect((await store.record.tail('other')).last).toBe(0);
    await agent.hears(({ response }) => response?.request_id === 'r2' && response.subtype === 'error');
    const watcher = await TestViewer.connect(hub.url, body.token);
    for (const session of ['other', '*'])
      expect((await watcher.ask({ type: 'subscribe', session })).type).toBe(
        session === '*' ? 'ack' : 'error',
      );
    await call(hub.url, token, 'PATCH', '/api/sessions/other', { title: 'not for all' });
    await call(hub.url, token, 'PATCH', '/api/sessions/s', { title: 'for its own' });
    await watcher.find(({ session }) => session?.title === 'for its own');
    expect(watcher.lines.join('')).not.toContain('not for all');
  });

  it('[AP41] to REST is refused with a reason, whatever the token', async () => {
    const { hub, store, token } = await startTestHub();
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    await call(hub.url, token, 'POST', '/api/sessions', { id: 'other' });
    const bound = await tokenFor(store, { scope: 'admin', session: 'other' });
    const cases = [
      ['GET', '/api/sessions/s/events', undefined, 403],
      ['GET', '/api/sessions/s/export', undefined, 403],
      ['PATCH', '/api/sessions/s', { title: 'x' }, 403],
      ['DELETE', '/api/sessions/s', undefined, 403],
      ['POST', '/api/sessions/s/control', { subtype: 'interrupt' }, 403],
      ['POST', '/api/sessions/s/permissions/r/answer', { behavior: 'allow' }, 403],
      ['GET', '/api/permissions?session=s', undefined, 403],
      ['GET', '/api/audit', undefined, 403],
      ['POST', '/api/devices', { person: 'x', name: 'x', scope: 'admin' }, 403],
      ['GET', '/api/sessions/other/events?limit=0', undefined, 400],
      ['GET', '/api/sessions/other/events?from=99999999', undefined, 200],
      ['GET', '/api/audit?session=other&after=x', undefined, 400],
    ] as const;
    for (const [method, path, body, status] of cases)
      expect([method, path, (await call(hub.url, bound, method, path, body)).status]).toEqual([
        method,
        path,
        status,
      ]);
    for (const text of ['{', '"text"', '{"id":"\\ud800"}', '[[[[']) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${hub.url}/api/sessions`, { method: 'POST', headers, body: text });
      expect([text, answer.status]).toEqual([text, 400]);
    }
  });
});

function textOf(entry: { kind: string; line?: { text(): string } }): string {
  return entry.line?.text() ?? '';
}

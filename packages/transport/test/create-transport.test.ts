import { describe, expect, it } from 'vitest';
import { createTransport } from '../src/create-transport.ts';
import { HybridTransport } from '../src/hybrid/hybrid-transport.ts';
import { WebSocketTransport } from '../src/websocket/websocket-transport.ts';

const HYBRID = { CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: '1' };

describe('createTransport', () => {
  it.each(['ws://host/ws/abc', 'wss://host', new URL('ws://host:8765/')])(
    '[HY25] %s is a WebSocket',
    async (url) => {
      const transport = createTransport(url, { env: {} });
      expect(transport).toBeInstanceOf(WebSocketTransport);
      expect(transport).not.toBeInstanceOf(HybridTransport);
      expect(transport.state).toBe('idle');
      await transport.close();
    },
  );

  it('[HY25] it is hybrid when CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2 is set to anything', async () => {
    for (const value of ['1', 'true', '0']) {
      const env = { CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: value };
      const transport = createTransport('wss://host/ws/abc', { env });
      expect(transport).toBeInstanceOf(HybridTransport);
      await transport.close();
    }
    const env = { CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: '' };
    const transport = createTransport('wss://host/ws/abc', { env });
    expect(transport).not.toBeInstanceOf(HybridTransport);
    await transport.close();
  });

  it('[HY25] without env in the options the environment of the process decides', async () => {
    process.env.CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2 = '1';
    try {
      const transport = createTransport('ws://host/ws/abc');
      expect(transport).toBeInstanceOf(HybridTransport);
      await transport.close();
    } finally {
      delete process.env.CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2;
    }
  });

  it.each(['http://host/ws/abc', 'https://host', 'file:///x', 'localhost:8765'])(
    '[HY25] %s is refused with UNSUPPORTED_PROTOCOL',
    (url) => {
      expect(() => createTransport(url)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_PROTOCOL' }));
    },
  );

  it.each(['', 'host', '//host', 'ws://'])('[HY25] %j is refused with URL_INVALID', (url) => {
    expect(() => createTransport(url)).toThrow(expect.objectContaining({ code: 'URL_INVALID' }));
  });

  it('[HY1] a hybrid transport needs a URL that names a session', () => {
    expect(() => createTransport('ws://host/', { env: HYBRID })).toThrow(
      expect.objectContaining({ code: 'HYBRID_URL_INVALID' }),
    );
  });
});

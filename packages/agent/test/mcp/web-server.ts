import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport as McpTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';

/** An MCP server behind a port, which can lose its memory. */
export interface WebServer {
  url: (path: '/mcp' | '/sse') => string;
  /** Break all connections and forget all sessions, as a restart does. */
  restart: () => void;
  /** Break all connections in the middle of what they say. */
  hangUp: () => void;
  /** How many calls were begun that never end. */
  waiting: () => number;
  /** The headers of the last request. */
  headers: () => IncomingMessage['headers'];
}

/** Serve two tools, `greet` and `wait`, over both transports; with `token` only to those who know it. */
export async function serveGreeting(token?: string): Promise<WebServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>();
  let headers: IncomingMessage['headers'] = {};
  let waiting = 0;
  const open = async (transport: McpTransport): Promise<void> => {
    const server = new McpServer({ name: 'web', version: '1' });
    server.registerTool('greet', { description: 'greets' }, () => ({
      content: [{ type: 'text', text: 'good day' }],
    }));
    server.registerTool('wait', {}, () => {
      waiting += 1;
      return new Promise(() => {});
    });
    await server.connect(transport);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    headers = request.headers;
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end('who are you?');
      return;
    }
    const id = url.searchParams.get('sessionId') ?? String(request.headers['mcp-session-id'] ?? '');
    const known = sessions.get(id);
    if (known instanceof SSEServerTransport) await known.handlePostMessage(request, response);
    else if (known) await known.handleRequest(request, response);
    else if (id) response.writeHead(404).end('no such session');
    else if (url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      await open(transport);
    } else {
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (session) => void sessions.set(session, transport),
      });
      await open(transport);
      await transport.handleRequest(request, response);
    }
  };
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  onTestFinished(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    headers: () => headers,
    waiting: () => waiting,
    hangUp: () => http.closeAllConnections(),
    restart: () => {
      sessions.clear();
      http.closeAllConnections();
    },
  };
}

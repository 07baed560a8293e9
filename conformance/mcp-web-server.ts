import { once } from 'node:events';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import type { Stage } from './stage.ts';

/** An MCP server behind a port of ours. */
export interface McpWebServer {
  readonly url: string;
  /** The `authorization` headers that came, in order. */
  readonly authorizations: readonly unknown[];
}

/** Serve the tools `greet` and `approve`; the latter answers for permissions, and refuses what has `bad` in it. */
export async function serveMcp(stage: Stage): Promise<McpWebServer> {
  const authorizations: unknown[] = [];
  const http = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    // One server a request: nothing is kept between them.
    const transport = new StreamableHTTPServerTransport({});
    const serve = async (): Promise<void> => {
      await greeter().connect(transport);
      await transport.handleRequest(request, response);
    };
    serve().catch(() => response.destroy());
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  stage.onLeave(async () => {
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  });
  const address = http.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return { url: `http://127.0.0.1:${address.port}/mcp`, authorizations };
}

function greeter(): McpServer {
  const server = new McpServer({ name: 'web', version: '1' });
  server.registerTool('greet', { description: 'greets' }, () => said('good day'));
  const inputSchema = { tool_name: z.string(), input: z.record(z.string(), z.unknown()) };
  server.registerTool('approve', { description: 'decides', inputSchema }, ({ input }) => {
    const isBad = JSON.stringify(input).includes('bad');
    const answer = isBad
      ? { behavior: 'deny', message: 'the gate is closed' }
      : { behavior: 'allow', updatedInput: input };
    return said(JSON.stringify(answer));
  });
  return server;
}

function said(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

import type { JsonObject } from '@signalbox/protocol';
import type { Conversation } from './conversation.ts';
import { fieldsOf } from './messages.ts';

/** Be an MCP server inside of the host, with one tool `shout`. Returns the methods that the agent calls. */
export function hostMcpServer(agent: Conversation): string[] {
  const called: string[] = [];
  agent.handle('mcp_message', ({ message }) => {
    const { id, method, params } = fieldsOf(message);
    called.push(String(method));
    // A notification has no id, and nobody waits for its answer.
    if (id === undefined) return { mcp_response: { jsonrpc: '2.0', result: {} } };
    return { mcp_response: { jsonrpc: '2.0', id, ...answerTo(String(method), fieldsOf(params)) } };
  });
  return called;
}

function answerTo(method: string, params: JsonObject): JsonObject {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: params['protocolVersion'],
          capabilities: { tools: {} },
          serverInfo: { name: 'shouter', version: '1' },
        },
      };
    case 'tools/list':
      return { result: { tools: [SHOUT] } };
    case 'tools/call': {
      const { words } = fieldsOf(params['arguments']);
      return { result: { content: [{ type: 'text', text: String(words).toUpperCase() }] } };
    }
    default:
      return { error: { code: -32601, message: `There is no ${method}` } };
  }
}

const SHOUT = {
  name: 'shout',
  description: 'says it louder',
  inputSchema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
};

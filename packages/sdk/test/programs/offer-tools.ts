import {
  type AgentDefinition,
  createSdkMcpServer,
  type McpSdkServerConfigWithInstance,
  type McpServerConfig,
  query,
  type SDKUserMessage,
  tool,
} from 'signalbox';
import { z } from 'zod';

const weather = tool(
  'weather',
  'The weather in a town',
  { town: z.string(), days: z.number().optional(), unit: z.enum(['c', 'f']).default('c') },
  async ({ town, days, unit }) => ({
    content: [{ type: 'text', text: `${town.toUpperCase()} for ${days?.toFixed(0) ?? 1} days in ${unit}` }],
  }),
  { annotations: { readOnlyHint: true } },
);
const ping = tool('ping', 'Answers', {}, async () => ({ content: [{ type: 'text', text: 'pong' }] }));

const server: McpSdkServerConfigWithInstance = createSdkMcpServer({
  name: 'town',
  version: '1.0.0',
  tools: [weather, ping],
});

const servers: Record<string, McpServerConfig> = {
  town: server,
  web: { type: 'http', url: 'https://mcp.example' },
};
const reviewer: AgentDefinition = {
  description: 'Reviews',
  prompt: 'Review it.',
  tools: ['Read'],
  model: 'haiku',
};

async function* prompts(picture: string): AsyncGenerator<SDKUserMessage> {
  yield {
    type: 'user',
    session_id: '',
    parent_tool_use_id: null,
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
      ],
    },
  };
}

/** Asks about a picture, with tools of this program and a sub-agent. */
export async function describePicture(picture: string): Promise<unknown> {
  const conversation = query({
    prompt: prompts(picture),
    options: {
      mcpServers: servers,
      agents: { reviewer },
      outputFormat: { type: 'json_schema', schema: { type: 'object' } },
      includePartialMessages: true,
      env: { ...process.env, DEBUG: undefined },
      extraArgs: { verbose: null },
    },
  });
  for await (const message of conversation) {
    if (message.type === 'result' && message.subtype === 'success') return message.structured_output;
    if (message.type === 'result') return message.permission_denials.map(({ tool_name }) => tool_name);
  }
  return undefined;
}

// Gives the agent a tool that is a function of this program.
// Run it: npx tsx examples/mcp-tool.ts
import { createSdkMcpServer, prettyPrint, query, tool } from 'signalbox';
import { z } from 'zod';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'mcp-tool',
  turns: [
    { when: { user: 'next train' }, say: [{ tool: 'mcp__station__departures', input: { platform: 2 } }] },
    { when: { tool_result: {} }, say: ['Your train: {{lastToolResult}}.'] },
  ],
});

const departures = tool(
  'departures',
  'The next train that leaves from a platform',
  { platform: z.number() },
  async ({ platform }) => ({
    content: [{ type: 'text', text: `09:17 to Merge Junction from platform ${platform}` }],
  }),
);

const messages = query({
  prompt: 'When does the next train leave from platform 2?',
  options: {
    ...stage.options,
    mcpServers: { station: createSdkMcpServer({ name: 'station', tools: [departures] }) },
    allowedTools: ['mcp__station'],
  },
});

for await (const message of messages) prettyPrint(message);

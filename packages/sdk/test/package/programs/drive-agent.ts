// Everything that starts an agent, in one program.
import { Client, collectText, createSdkMcpServer, permissionPolicy, query, tool } from 'signalbox';
import { z } from 'zod';

const clock = createSdkMcpServer({
  name: 'clock',
  tools: [
    tool('time', 'Tells the time', { zone: z.string() }, async ({ zone }) => ({
      content: [{ type: 'text', text: `noon in ${zone}` }],
    })),
  ],
});
const asked: string[] = [];
const canUseTool = permissionPolicy()
  .allow('mcp__clock__time')
  .otherwise(async (name) => {
    asked.push(name);
    return { behavior: 'deny', message: 'not today' };
  });

const text = await collectText(query({ prompt: 'say hello' }));
const options = { mcpServers: { clock }, canUseTool };
const time = await collectText(query({ prompt: 'call mcp__clock__time {"zone":"Oslo"}', options }));

const client = new Client(options);
const turns: string[] = [];
await client.connect('run touch a-file');
for (const next of ['say once more', undefined]) {
  for await (const message of client.receiveResponse())
    if (message.type === 'result' && message.subtype === 'success') turns.push(message.result);
  if (next !== undefined) await client.send(next);
}
await client.disconnect();

console.log(JSON.stringify({ text, time, asked, turns }));

// Two agents dial in with --sdk-url, as `claude` up to 2.1.120 can too; each is a query, and an observer hears both.
// Run it: npx tsx examples/listen.ts
import { spawn } from 'node:child_process';
import { collectText, listen } from 'signalbox';
import { WebSocket } from 'ws';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'listen',
  turns: [],
  fallback: { say: ['You said: {{lastUserText}}'] },
});
await using listener = listen({ prompt: 'Which platform?' });
const url = await listener.url;

const observer = new WebSocket(`${url}/ws`);
observer.on('message', (lines: Buffer) => {
  for (const line of lines.toString().split('\n').filter(Boolean)) {
    const { type, text } = JSON.parse(line);
    if (type === 'status') console.log(`observer: ${text}`);
  }
});

const { pathToClaudeCodeExecutable: agent = '', env, cwd } = stage.options;
for (const _ of ['one', 'another'])
  spawn(process.execPath, [agent, '-p', 'x', '--sdk-url', url], { env, cwd, stdio: 'ignore' });

let answered = 0;
for await (const query of listener) {
  console.log(await collectText(query));
  answered += 1;
  if (answered === 2) break;
}
observer.terminate();

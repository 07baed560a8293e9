// A chat with an agent in a web page: a tiny server owns the agent, the page talks to it over a WebSocket.
// Run it: npx tsx examples/browser-chat.ts, open the address that it prints, and end it with Ctrl-C.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { AcceptedTransport, spawnTransport, type Transport, WebSocketAcceptor } from '@signalbox/transport';
import { build } from 'esbuild';
import { bearerFromProtocols } from 'signalbox/browser';
import { openStage } from './stage.ts';

const PAGE = `<!doctype html>
<meta charset="utf-8"><title>Signalbox chat</title>
<style>
  body { font: 16px/1.5 system-ui; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
  #log div { white-space: pre-wrap; margin: .5rem 0 } .you { color: #06c } .note { color: #888 }
  form { display: flex; gap: .5rem } input { flex: 1; font: inherit; padding: .4rem }
</style>
<h1>Signalbox chat</h1><div id="log"></div>
<form><input autofocus placeholder="Ask the agent to list the files"><button>Send</button></form>
<script type="module" src="/client.js"></script>`;

const CLIENT = `
import { DirectConnect } from 'signalbox/browser';
const form = document.querySelector('form');
const input = document.querySelector('input');
const show = (text, kind = '') => {
  const line = Object.assign(document.createElement('div'), { textContent: text, className: kind });
  document.querySelector('#log').append(line);
};
const { host, hash } = location;
const client = new DirectConnect({ wsUrl: 'ws://' + host + '/agent', authToken: hash.slice(1) }, {
  onConnected: () => show('connected', 'note'),
  onDisconnected: () => show('connection lost', 'note'),
  onError: (error) => show(error.message, 'note'),
  onMessage: (message) => {
    if (message.type !== 'assistant') return;
    for (const block of message.message.content) if (block.type === 'text') show(block.text);
  },
  onPermissionRequest: ({ tool_name, input }, id) => {
    const isAllowed = confirm('Allow ' + tool_name + ' ' + JSON.stringify(input) + '?');
    client.respondToPermissionRequest(id, isAllowed
      ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: 'The person said no.' });
  },
});
client.connect();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!client.sendMessage(input.value)) return show('not connected', 'note');
  show(input.value, 'you');
  input.value = '';
});`;

await using stage = await openStage({
  name: 'browser-chat',
  turns: [
    { when: { user: 'files' }, say: [{ tool: 'Bash', input: { command: 'touch a-file && ls' } }] },
    { when: { tool_result: {} }, say: ['This is what I got:\n{{lastToolResult}}'] },
    { say: ['You said: {{lastUserText}}'] },
  ],
});

const agent = await spawnTransport({
  command: process.execPath,
  args: [
    stage.options.pathToClaudeCodeExecutable ?? '',
    '-p',
    '--verbose',
    '--permission-prompt-tool=stdio',
    '--input-format=stream-json',
    '--output-format=stream-json',
  ],
  cwd: stage.folder,
  env: { ...stage.options.env },
});
// The page may lose its connection and come back: what the agent says meanwhile waits for it.
const page = new AcceptedTransport({ surviveDrops: true });

async function relay(from: Transport, to: Transport): Promise<void> {
  for await (const line of from.receive()) await to.send(line.bytes());
}
const relaying = Promise.race([relay(agent, page), relay(page, agent)]).catch(() => {});

const bundle = await build({
  stdin: { contents: CLIENT, resolveDir: import.meta.dirname },
  bundle: true,
  format: 'esm',
  write: false,
});
const server = createServer((request, response) => {
  const isScript = request.url === '/client.js';
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  response.end(isScript ? bundle.outputFiles[0]?.text : PAGE);
});

const token = crypto.randomUUID();
const acceptor = new WebSocketAcceptor();
server.on('upgrade', (request, socket, head) => {
  if (bearerFromProtocols(request.headers['sec-websocket-protocol']) === token)
    acceptor.accept(request, socket, head, page);
  else socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
console.log(`Open http://127.0.0.1:${port}/#${token}`);

await Promise.race([relaying, once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await agent.close();
await page.close().catch(() => {});
server.close();

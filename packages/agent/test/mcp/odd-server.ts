import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const mode = process.argv[2];

if (mode === 'hangs') {
  // Reads, never answers, and does not leave when it is asked to.
  process.stdin.resume();
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
  writeFileSync(process.env.PID_FILE ?? '', `${process.pid}\n`);
} else if (mode === 'refuses') {
  process.stderr.write(`first line\nthe token ${process.env.TOKEN} is wrong\n`);
  process.exit(3);
} else if (mode === 'prints') {
  const print = (): void => void process.stdout.write('x\n'.repeat(10_000), print);
  print();
} else {
  await serve();
}

async function serve(): Promise<void> {
  const server = new Server(
    { name: 'odd', version: '1.2.3' },
    { capabilities: { tools: { listChanged: true } }, instructions: 'Use me with care.' },
  );
  const inputSchema = { type: 'object' as const };
  const names = mode === 'names' ? ['we ird/näme', 'a.b', 'a_b', 'x'.repeat(300)] : [];
  const own = ['die', 'slow', 'big', 'noise', 'grow', 'daemon', 'flood', 'fail', 'ask', 'deep'];
  const tools = [...own, ...names].map((name) => ({ name, description: `the ${name}`, inputSchema }));
  const broken: unknown[] = [
    { name: 'misspelt', inputSchema: { type: 'object', properties: { a: { type: 'strnig' } } } },
    { name: 'listless', inputSchema: { type: 'array' } },
    { name: 'schemaless' },
    { name: 'lost', inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/nowhere' } } } },
    { inputSchema },
    { name: 'patient', inputSchema, execution: { taskSupport: 'required' } },
  ];
  let page = 0;
  server.setRequestHandler(ListToolsRequestSchema, () => {
    if (mode === 'books') {
      page += 1;
      const description = 'x'.repeat(1024 * 1024);
      return {
        tools: Array.from({ length: 10 }, (_, at) => ({ name: `t${page}-${at}`, description, inputSchema })),
        nextCursor: String(page),
      };
    }
    if (mode === 'endless') {
      page += 1;
      return {
        tools: Array.from({ length: 2500 }, (_, at) => ({ name: `t${page}-${at}`, inputSchema })),
        nextCursor: String(page),
      };
    }
    return Object({ tools: [...(mode === 'broken' ? broken : []), ...tools] });
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, requestId }) => {
    const say = (text: string, isError = false) => ({ content: [{ type: 'text' as const, text }], isError });
    switch (params.name) {
      case 'die':
        process.stderr.write(`I saw ${process.env.TOKEN} and died\n`);
        process.exit(7);
        break;
      case 'slow':
        writeFileSync(process.env.STARTED_FILE ?? '', 'yes');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        // The library would not answer a call that was cancelled.
        raw({ id: requestId, result: say('too late') });
        writeFileSync(process.env.CANCELLED_FILE ?? '', 'yes');
        return say('never seen');
      case 'big':
        return say('ä'.repeat(Number(params.arguments?.chars)));
      case 'noise':
        process.stdout.write('this is no message\n{"neither":"is this"}\n');
        return say('quiet again');
      case 'grow':
        tools.push({ name: `grown${tools.length}`, description: '', inputSchema });
        for (let at = 0; at < 1000; at += 1) await server.sendToolListChanged();
        return say('grown');
      case 'daemon': {
        const daemon = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
        daemon.unref();
        return say(String(daemon.pid));
      }
      case 'flood':
        for (let at = 0; at < 80; at += 1) process.stdout.write('x'.repeat(1024 * 1024));
        return say('never read');
      case 'deep': {
        const nest = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
        const result = `{"content":[],"structuredContent":${nest}}`;
        process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(requestId)},"result":${result}}\n`);
        return new Promise(() => {});
      }
      case 'fail':
        return say('it did not work', true);
      case 'ask':
        return say(String(params.arguments?.tool_name));
    }
    return say(`this is ${params.name}`);
  });
  await server.connect(new StdioServerTransport());
}

function raw(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

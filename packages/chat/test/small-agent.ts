import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ControlPeer,
  ControlRefusal,
  type JsonObject,
  messageOf,
  parseHostMessage,
} from '@signalbox/protocol';
import { createStdioTransport } from '@signalbox/transport';

// An agent of few words, for what the wire can carry and no scripted model can make our agent say.
const transport = createStdioTransport();
const session_id = '00000000-0000-4000-8000-000000000001';
let ids = 0;

function say(message: JsonObject): Promise<void> {
  return peer.send({ uuid: `uuid-${++ids}`, session_id, ...message });
}

function speak(text: string, parent: string | null = null): Promise<void> {
  return assistant([{ type: 'text', text }], parent);
}

function assistant(content: JsonObject[], parent: string | null): Promise<void> {
  const message = { id: `msg-${++ids}`, type: 'message', role: 'assistant', model: 'small', content };
  return say({ type: 'assistant', message, parent_tool_use_id: parent });
}

function toolResult(tool_use_id: string, content: string, parent: string | null): Promise<void> {
  const message = { role: 'user', content: [{ type: 'tool_result', tool_use_id, content }] };
  return say({ type: 'user', message, parent_tool_use_id: parent });
}

async function ask(command: string, timeoutMs?: number): Promise<string> {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command }, tool_use_id: command };
  try {
    const answered = await peer.request(request, timeoutMs === undefined ? {} : { timeoutMs });
    return `${command}: ${String(answered.behavior)}`;
  } catch (error) {
    return messageOf(error);
  }
}

const DEEDS: Record<string, () => Promise<void>> = {
  async asks() {
    const answers = await Promise.all([ask('first'), ask('second'), ask('third')]);
    await speak(answers.join(', '));
  },
  async 'long ask'() {
    await speak(await ask(Array.from({ length: 40 }, (_, index) => `step ${index}`).join('\n')));
  },
  async 'ask soon'() {
    await speak('I am about to ask');
    // The test says when, by a file.
    while (!existsSync('ask-now')) await delay(10);
    await speak(await ask('soon'));
  },
  async 'take back'() {
    await speak(`It said: ${await ask('too late', 2000)}`);
  },
  async 'sub-agent'() {
    await assistant(
      [{ type: 'tool_use', id: 'task', name: 'Task', input: { description: 'look around' } }],
      null,
    );
    await assistant([{ type: 'tool_use', id: 'inner', name: 'Glob', input: { pattern: '*.ts' } }], 'task');
    await toolResult('inner', 'a.ts', 'task');
    await speak('what only the parent hears', 'task');
    await toolResult('task', 'one file', null);
  },
  async news() {
    const retry = { attempt: 1, max_retries: 10, retry_delay_ms: 2000, error_status: 529 };
    await say({ type: 'system', subtype: 'api_retry', ...retry });
    await say({
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: { trigger: 'auto', pre_tokens: 150_000 },
    });
    await say({ type: 'a message of the future' });
    await transport.send('this is no JSON');
    await speak('That was the news.');
  },
  async die() {
    process.stderr.write('small-agent: the boiler has burst\n');
    process.exit(3);
  },
};

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : '';
}

async function answer(prompt: string): Promise<void> {
  await say({
    type: 'system',
    subtype: 'init',
    model: 'small',
    permissionMode: 'default',
    cwd: process.cwd(),
  });
  const deed = DEEDS[prompt];
  if (deed) await deed();
  else await speak(`You said: ${prompt}`);
  const facts = { is_error: false, duration_ms: 1, duration_api_ms: 1, num_turns: 1, total_cost_usd: 0.25 };
  await say({ type: 'result', subtype: 'success', result: '', ...facts });
}

const peer = new ControlPeer(transport, {
  onMessage: (line) => {
    const message = parseHostMessage(line.json());
    if (message.type === 'user') void answer(textOf(message.message.content));
  },
});
const open = {
  type: 'control_request',
  request_id: 'left-open',
  request: {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: { command: 'from before' },
    tool_use_id: 'b',
  },
};
peer.handle('initialize', () => {
  if (process.argv[2] === 'started') {
    throw new ControlRefusal('Already initialized', { pending_permission_requests: [open] });
  }
  return {
    commands: [
      { name: 'review', description: 'Review a change', argumentHint: '<number>' },
      { name: 'model', description: 'The agent chooses its model', argumentHint: '' },
    ],
    models: [{ value: 'small', displayName: 'Small', description: 'of few words' }],
  };
});
peer.handle('get_context_usage', () => ({ percentage: 42 }));
peer.handle('set_permission_mode', ({ mode }) => ({ mode }));
peer.handle('file_suggestions', ({ query }) => ({
  suggestions: ['docs/guide.md', 'src/signal.ts']
    .filter((path) => path.includes(String(query)))
    .map((path) => ({ path })),
}));
await peer.run();

// The least that an agent can do: send the whole conversation for every reply, and run the one tool that is called.
// Started by the benchmark `agent-turns`; answers prompts on stdin like an agent in stream-json mode.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';

type Block = { type: string; id?: string; text?: string; input?: { file_path?: string } };
type Event = {
  type: string;
  content_block?: Block;
  delta?: { text?: string; partial_json?: string };
};

const messages: { role: string; content: unknown }[] = [];
const URL_OF_MODEL = `${process.env['ANTHROPIC_BASE_URL']}/v1/messages`;
const HEADERS = {
  'content-type': 'application/json',
  'x-api-key': 'scripted',
  'anthropic-version': '2023-06-01',
};

async function reply(): Promise<Block[]> {
  const body = JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 32_000, stream: true, messages });
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(URL_OF_MODEL, { method: 'POST', headers: HEADERS }, (response) => {
      let all = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        all += chunk;
      });
      response.on('end', () => resolve(all));
    });
    sent.on('error', reject).end(body);
  });
  const blocks: Block[] = [];
  let json = '';
  for (const line of text.split('\n')) {
    if (!line.startsWith('data:')) continue;
    const event: Event = JSON.parse(line.slice('data:'.length));
    const last = blocks.at(-1);
    if (event.content_block) blocks.push(event.content_block);
    else if (event.delta?.partial_json !== undefined) json += event.delta.partial_json;
    else if (last && event.delta?.text !== undefined) last.text = `${last.text ?? ''}${event.delta.text}`;
    else if (last?.type === 'tool_use' && event.type === 'content_block_stop') last.input = JSON.parse(json);
  }
  messages.push({ role: 'assistant', content: blocks });
  return blocks;
}

for await (const line of createInterface({ input: process.stdin })) {
  const prompt: { message: { role: string; content: unknown } } = JSON.parse(line);
  messages.push(prompt.message);
  for (let call = await called(); call; call = await called()) {
    const content = readFileSync(call.input?.file_path ?? '', 'utf8');
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content }] });
  }
  process.stdout.write('{"type":"result"}\n');
}

async function called(): Promise<Block | undefined> {
  return (await reply()).find(({ type }) => type === 'tool_use');
}

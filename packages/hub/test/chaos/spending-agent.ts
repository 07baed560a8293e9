import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

// An agent without a model that says what each reply costs, and asks before it goes on. It stops when it is told to. With a number and a
// file it asks nobody: once the file is there it goes on, and it ends its turn by itself after so many replies.

interface Heard {
  type?: string;
  request_id?: string;
  request?: { subtype?: string };
  response?: { request_id: string };
  uuid?: string;
}

const MODEL = 'claude-opus-5-5';

/** How long it takes to a reply that it asks nobody about. */
const PACE_MS = 5;

const [, , most = '0', sign = ''] = process.argv;
const unasked = Number(most);

const known = new Set<string>();
let isGreeted = false;
let replies = 0;
let inTurn = 0;
let asked: { id: string; ask: object } | undefined;
let next: NodeJS.Timeout | undefined;

function say(message: object): void {
  process.stdout.write(`${JSON.stringify({ session_id: 'c', uuid: crypto.randomUUID(), ...message })}\n`);
}

function use(count: number): object {
  const none = { outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
  return { [MODEL]: { inputTokens: count * 100_000, ...none, costUSD: count * 0.4 } };
}

function reply(): void {
  replies += 1;
  inTurn += 1;
  const usage = { input_tokens: 100_000, output_tokens: 0 };
  // Two blocks: what it used is said twice.
  for (const type of ['text', 'tool_use']) {
    const message = { id: `m${replies}`, role: 'assistant', model: MODEL, content: [{ type }], usage };
    say({ type: 'assistant', message, parent_tool_use_id: null });
  }
  if (unasked > 0) {
    next = setTimeout(goOn, PACE_MS);
    return;
  }
  const id = `ask-${replies}`;
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: id };
  const ask = { type: 'control_request', request_id: id, request };
  asked = { id, ask };
  say(ask);
}

function goOn(): void {
  if (!existsSync(sign)) next = setTimeout(goOn, PACE_MS);
  else if (inTurn < unasked) reply();
  else end();
}

function end(): void {
  clearTimeout(next);
  asked = undefined;
  say({
    type: 'result',
    subtype: 'error_during_execution',
    total_cost_usd: replies * 0.4,
    modelUsage: use(replies),
    model_usage_since_last_result: use(inTurn),
  });
  inTurn = 0;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { type, request_id: requestId = '', request, response, uuid = '' }: Heard = JSON.parse(line);
  const answer = (outcome: object): void =>
    say({ type: 'control_response', response: { request_id: requestId, ...outcome } });
  if (type === 'control_request' && request?.subtype === 'initialize') {
    const pending = { pending_permission_requests: asked ? [asked.ask] : [] };
    answer(
      isGreeted
        ? { subtype: 'error', error: 'Already initialized', ...pending }
        : { subtype: 'success', response: {} },
    );
    isGreeted = true;
  }
  if (type === 'control_request' && request?.subtype === 'interrupt') {
    answer({ subtype: 'success', response: {} });
    if (inTurn > 0) end();
  }
  if (type === 'control_response' && response && response.request_id === asked?.id) reply();
  if (type !== 'user' || known.has(uuid)) continue;
  known.add(uuid);
  reply();
}
process.exit(0);

import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

// An agent without a model: a prompt says how many lines to say and how many questions to ask. Its lines are numbered, and
// written in ways that no second encoder would repeat.

interface Heard {
  type?: string;
  request_id?: string;
  request?: { subtype?: string };
  response?: { request_id: string };
  uuid?: string;
  message?: { content: string };
}

const known = new Set<string>();
const pending = new Map<string, { ask: object; answered: () => void }>();
let isGreeted = false;
let said = 0;
let asked = 0;
let turns = Promise.resolve();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function sayOdd(type: string, rest: string): void {
  said += 1;
  const filling = 'x'.repeat((said * 7919) % 400);
  say(
    `{"type":"${type}", "n":${said}.0,"odd":"\\u00e9 é ${filling}",${rest},"session_id":"c","uuid":"${crypto.randomUUID()}"}`,
  );
}

function sayDelta(text: string): void {
  const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
  say(JSON.stringify({ type: 'stream_event', event, parent_tool_use_id: null, session_id: 'c' }));
}

/** Settles when the question was answered. */
function askWhether(command: string): Promise<void> {
  asked += 1;
  const requestId = `${process.pid}-${asked}`;
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command }, tool_use_id: requestId };
  const ask = { type: 'control_request', request_id: requestId, request };
  return new Promise((answered) => {
    pending.set(requestId, { ask, answered });
    say(JSON.stringify(ask));
  });
}

async function turn(uuid: string, content: string): Promise<void> {
  const { lines, asks, paceMs } = JSON.parse(content);
  sayOdd('system', `"subtype":"init","cwd":"/","model":"none","prompt":"${uuid}"`);
  const answers: Promise<void>[] = [];
  for (let n = 0; n < lines; n += 1) {
    for (let k = 0; k < 3; k += 1) sayDelta(`${n}.${k} `);
    sayOdd('assistant', `"message":{"role":"assistant","content":[]},"parent_tool_use_id":null`);
    if (n >= lines - asks) answers.push(askWhether(`${content} ${n}`));
    await pause(paceMs);
  }
  await Promise.all(answers);
  sayOdd('result', '"subtype":"success","result":"done"');
}

function greeted(requestId: string): void {
  const outcome = isGreeted
    ? {
        subtype: 'error',
        error: 'Already initialized',
        pending_permission_requests: [...pending.values()].map(({ ask }) => ask),
      }
    : { subtype: 'success', response: {} };
  isGreeted = true;
  say(JSON.stringify({ type: 'control_response', response: { request_id: requestId, ...outcome } }));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { type, request_id: requestId = '', request, response, uuid = '', message }: Heard = JSON.parse(line);
  if (type === 'control_request' && request?.subtype === 'initialize') greeted(requestId);
  if (type === 'control_response') {
    pending.get(response?.request_id ?? '')?.answered();
    pending.delete(response?.request_id ?? '');
  }
  // As every agent does: a uuid that comes again is not run again.
  if (type !== 'user' || known.has(uuid)) continue;
  known.add(uuid);
  turns = turns.then(() => turn(uuid, message?.content ?? '{}'));
}
process.exit(0);

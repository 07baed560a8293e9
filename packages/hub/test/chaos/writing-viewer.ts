import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cursor, PermissionRequest, StreamMessage } from '@signalbox/protocol/hub';
import { HubStream } from 'signalbox/hub';
import { WebSocket } from 'ws';
import type { ToldAnswer, View } from './evidence.ts';

// Watches sessions, answers what their agents ask, and writes down what it saw; killed and started again, it goes on
// from there.

const [folder = '', name = '', url = '', token = '', ...sessions] = process.argv.slice(2);
const stream = new HubStream({
  url,
  token,
  WebSocket,
  reconnect: { baseDelayMs: 30, maxDelayMs: 200 },
  dialMs: 1000,
});

function lastSeen(file: string): Cursor | undefined {
  if (!existsSync(file)) return undefined;
  const last: View['entries'][number] = JSON.parse(
    readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '{}',
  );
  return 'seq' in last ? { seq: last.seq, check: last.check } : undefined;
}

async function answer({ session, requestId, state }: PermissionRequest): Promise<void> {
  if (state !== 'open') return;
  const said = { behavior: 'allow', updatedInput: { by: name } } as const;
  const note = (told: ToldAnswer): void =>
    appendFileSync(join(folder, `${name}.answers`), `${JSON.stringify(told)}\n`);
  try {
    // Twice, as somebody does who is not sure.
    const answers = await Promise.all([1, 2].map(() => stream.answer(session, requestId, said)));
    for (const { permission, isFirst } of answers)
      note({ session, requestId, isFirst, state: permission.state, response: permission.answer?.response });
  } catch (error) {
    note({ session, requestId, isFirst: false, state: String(error), response: undefined });
  }
}

for (const session of sessions) {
  const file = join(folder, `${name}.${session}.view`);
  const note = (what: View['entries'][number]): void => appendFileSync(file, `${JSON.stringify(what)}\n`);
  const hear = (message: StreamMessage): void => {
    switch (message.type) {
      case 'sdk-message': {
        const { seq, check, damaged } = message;
        return note({ seq, check, text: damaged ? null : JSON.stringify(message.message) });
      }
      case 'reset':
        return note({ reset: message.reason });
      case 'snapshot':
        return message.permissions.forEach((permission) => void answer(permission));
      case 'permission':
        return void answer(message.permission);
      default:
        return undefined;
    }
  };
  const cursor = lastSeen(file);
  stream.watch(session, hear, { tail: 10_000, ...(cursor ? { cursor } : {}) });
}
process.stdout.write('watching\n');

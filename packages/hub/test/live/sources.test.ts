import { WireLine } from '@signalbox/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { LiveSessions } from '../../src/sessions/live-sessions.ts';
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';
import { AGENT, ANN, append } from '../store/sample-record.ts';

const HUB = { by: 'hub' } as const;

/** What would begin a conversation, a turn and a question, if an agent said it. */
const LINES = [
  { type: 'system', subtype: 'init', session_id: 'conversation', model: 'a model', cwd: '/folder' },
  { type: 'assistant', message: { role: 'assistant', content: [] }, session_id: 'conversation' },
  {
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'true' } },
  },
].map((message) => ({ bytes: Buffer.from(JSON.stringify(message)) }));

it("[HB1563] questions and facts of a session come from its agent's lines, and from nobody else's", async () => {
  const store = await openMemoryStore();
  onTestFinished(() => store.close());
  const trouble: unknown[] = [];
  const sessions = new LiveSessions(store, (_, error) => trouble.push(error));
  for (const author of [HUB, ANN, AGENT]) {
    const { id } = await store.sessions.create(author.by);
    await append(store, [{ session: id, author, lines: LINES }]);
  }
  const conversationOf = (id: string) => sessions.use(id, ({ agent }) => agent.session);
  expect(await conversationOf('hub')).toBeNull();
  expect(await conversationOf('person')).toBeNull();
  expect(await conversationOf('agent')).toBe('conversation');
  // The same while the session is in use.
  const heard = await sessions.use('agent', async (live) => {
    await live.post(LINES.map(({ bytes }) => WireLine.of(bytes.toString())));
    return { asked: live.asks.open.map(({ requestId }) => requestId), model: live.session.model };
  });
  expect(heard).toEqual({ asked: ['r'], model: 'a model' });
  const said = await sessions.use('person', async (live) => {
    live.noteInRecord({ request_id: 'r', request: { subtype: 'can_use_tool' } }, ANN);
    await live.settled();
    return { asked: live.asks.open, model: live.session.model };
  });
  expect(said).toEqual({ asked: [], model: null });
  expect(trouble).toEqual([]);
});

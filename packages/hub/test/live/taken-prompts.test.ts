import { until } from '@signalbox/testing/hub/test-parts';
import { expect, it, onTestFinished } from 'vitest';
import { Holds } from '../../src/base/holds.ts';
import { PromptDispatcher } from '../../src/sessions/inbox/prompt-dispatcher.ts';
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts';
import { AGENT, ANN, append } from '../store/sample-record.ts';

it('[HB3811] a prompt that its agent had before a kill waits no more, though nothing may go to the agent now', async () => {
  const store = await openMemoryStore();
  onTestFinished(() => store.close());
  const { id: session } = await store.sessions.create('s');
  for (const clientId of ['one', 'two'])
    await store.inbox.admit({ session, clientId, author: ANN, content: clientId, delivery: 'queue' });
  const taken = await store.inbox.take(session);
  const said = (message: object) => [{ bytes: Buffer.from(JSON.stringify(message)) }];
  const prompt = { type: 'user', message: { role: 'user', content: 'one' }, uuid: taken?.id };
  await append(store, [{ session, author: ANN, lines: said(prompt) }]);
  const sent: string[] = [];
  const dispatcher = new PromptDispatcher(store.inbox, store.record, session, new Holds(session, () => {}), {
    readiness: () => 'nothing',
    record: async () => {},
    deliver: async (line) => sent.push(line) > 0,
    onChange: () => {},
    onTrouble: (error) => sent.push(String(error)),
  });
  await dispatcher.load();
  await append(store, [{ session, author: AGENT, lines: said({ type: 'result', subtype: 'success' }) }]);
  dispatcher.call();
  await until(async () => (await store.inbox.list(session)).length === 1);
  expect(await store.inbox.list(session)).toMatchObject([{ clientId: 'two', state: 'waiting' }]);
  expect(sent).toEqual([]);
});

import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

describe('a conversation that follows another', () => {
  it('[HB66] is noted before its first line, in the same commit: a hub that is killed then has both', async () => {
    const { hub, store, token } = await startTestHub();
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    const begin = (session: string) =>
      agent.say({ type: 'system', subtype: 'init', session_id: session, uuid: crypto.randomUUID() });
    const record = async () =>
      (await store.record.tail('s')).entries.flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []));
    await begin('first');
    await until(async () => (await record()).some((line) => line.head().sessionId === 'first'));
    const { commit } = store;
    // Nothing is stored after the next commit.
    store.commit = (change) => {
      store.commit = () => Promise.reject(new Error('killed'));
      return commit(change);
    };
    await begin('second');
    await until(async () => (await record()).some((line) => line.head().sessionId === 'second'));
    const [note, line] = (await record()).slice(-2);
    expect(note?.json()).toEqual({ type: 'hub', subtype: 'rotated', from: 'first', to: 'second' });
    expect(line?.head().sessionId).toBe('second');
  });
});

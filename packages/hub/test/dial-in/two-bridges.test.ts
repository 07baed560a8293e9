import { call, startTestHub, temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { runBridge, scripted } from '../bridge/run-bridge.ts';

/** Greets, and answers every prompt with its own name. */
const named = (name: string): string[] =>
  scripted(`require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { request_id, request, message } = JSON.parse(line);
    if (request?.subtype === 'initialize')
      say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
    if (message) say({ type: 'result', subtype: 'success', result: ${JSON.stringify(name)}, session_id: 'a', uuid: crypto.randomUUID() });
  });`);

describe('a second bridge', () => {
  it('[HB322] is refused while the first lives, says why, and takes its place when that is gone', async () => {
    const { hub, store, token } = await startTestHub();
    const env = { SIGNALBOX_TOKEN: await tokenFor(store) };
    const first = runBridge({ hub: hub.url, home: temporaryFolder(), command: named('one'), env });
    await until(async () => (await store.sessions.get('s'))?.state === 'idle');
    const second = runBridge({ hub: hub.url, home: temporaryFolder(), command: named('two'), env });
    await until(() => second.stderr().includes('409 SEAT_TAKEN'));
    const results = async (): Promise<string[]> =>
      (await store.record.tail('s')).entries.flatMap((entry) => {
        const text = entry.kind === 'line' ? entry.line.text() : '';
        return /"result":"(\w+)"/.exec(text)?.[1] ?? [];
      });
    for (let n = 1; n <= 5; n += 1) {
      await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: `p${n}`, content: 'who?' });
      await until(async () => (await results()).length === n);
    }
    expect(await results()).toEqual(Array.from({ length: 5 }, () => 'one'));
    // One that is stopped is there for TCP, and yet it is dead to the hub.
    first.child.kill('SIGSTOP');
    await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: 'p6', content: 'who?' });
    await until(async () => (await results()).includes('two'));
    first.child.kill('SIGKILL');
  });
});

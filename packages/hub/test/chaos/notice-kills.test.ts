import { setTimeout as pause } from 'node:timers/promises';
import { NoticeReceiver } from '@signalbox/testing/hub/notice-receiver';
import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { gather, isQuiet } from './gathering.ts';
import { violationsIn } from './invariants.ts';
import { Stage } from './stage.ts';

const QUESTIONS = 40;
const KILLS = 4;

describe('notices', () => {
  it(`[FT1940] tell of each question once in the record and under one id, and each is answered once by its notice, over ${KILLS} kills of the hub`, async () => {
    const stage = await Stage.set();
    const player = await stage.addPlayer('a');
    const receiver = await NoticeReceiver.listen();
    const target = { url: receiver.url, allowsPrivate: true, mayAnswer: true, kinds: ['asks'] } as const;
    await stage.api.addNoticeTarget({ type: 'webhook', ...target, kinds: [...target.kinds] });
    const ending = new AbortController();
    const person = answering(receiver, ending.signal);
    const content = JSON.stringify({ lines: QUESTIONS, asks: QUESTIONS, paceMs: 5 });
    const { id } = await stage.api.prompt('a', { clientId: 'p', content });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await until(
        () =>
          new Set(asked(receiver).map(({ requestId }) => requestId)).size > (kill * QUESTIONS) / (KILLS + 2),
      );
      await stage.killHub();
    }
    await until(() => isQuiet(stage, 'a'));
    ending.abort();
    await person;
    await stage.dismissAgents();
    const evidence = await gather(stage, player, {
      admitted: [{ clientId: 'p', id, delivery: 'queue' }],
      told: [],
    });
    expect(violationsIn(evidence)).toEqual([]);
    const { items } = await stage.api.notices({ limit: 500 });
    const requests = evidence.permissions.map(({ requestId }) => requestId).toSorted();
    expect(requests).toHaveLength(QUESTIONS);
    expect(items.map(({ requestId }) => requestId ?? '').toSorted()).toEqual(requests);
    for (const { requestId, deliveries } of items) {
      expect(deliveries).toHaveLength(1);
      const ids = asked(receiver).filter((told) => told.requestId === requestId);
      expect(new Set(ids.map(({ delivery }) => delivery)).size).toBe(1);
    }
    const devices = evidence.permissions.map(
      ({ answer }) => answer?.author.by === 'person' && answer.author.device,
    );
    expect(new Set(devices)).toEqual(new Set([`notice to webhook at ${new URL(receiver.url).host}`]));
  });
});

function asked(receiver: NoticeReceiver): { requestId: string; delivery: string }[] {
  return receiver.messages.filter(({ event }) => event === 'asks');
}

/** A person who allows all that they are told of, again and again until the hub has heard it. */
async function answering(receiver: NoticeReceiver, signal: AbortSignal): Promise<void> {
  for (let next = 0; !signal.aborted; ) {
    const message = receiver.messages[next];
    if (!message?.answer) {
      if (message) next += 1;
      else await pause(5);
      continue;
    }
    const { url, capability } = message.answer;
    const said = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ capability, behavior: 'allow' }),
    }).catch(() => undefined);
    // 409: the same question, told and answered before.
    if (said?.ok || said?.status === 409) next += 1;
    else await pause(20);
  }
}

import { until } from '@signalbox/testing/hub/test-parts';
import { HubStream } from 'signalbox/hub';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { ToldAnswer } from './evidence.ts';
import { gather, isQuiet } from './gathering.ts';
import { violationsIn } from './invariants.ts';
import { insist } from './sending-person.ts';
import { Stage } from './stage.ts';

const ANSWERS = Number(process.env.SIGNALBOX_REPEATED_ANSWERS ?? 1000);
const QUESTIONS = Math.ceil(ANSWERS / 40);
/** How many answers of one client are under way at once. */
const AT_ONCE = 20;

describe('answers that come again and again', () => {
  it(`[FT4] ${ANSWERS} of them, from all sides and over a kill of the hub, have one effect for each question`, async () => {
    const stage = await Stage.set();
    const player = await stage.addPlayer('a');
    const { api } = stage;
    const content = JSON.stringify({ lines: QUESTIONS, asks: QUESTIONS, paceMs: 0 });
    const { id } = await api.prompt('a', { clientId: 'p', content });
    const open = await until(async () => {
      const { items } = await api.permissions({ session: 'a', limit: 500 });
      return items.length === QUESTIONS ? items : undefined;
    });
    const url = `http://127.0.0.1:${stage.port}`;
    const streams = [1, 2].map(() => new HubStream({ url, token: stage.hub.token, WebSocket }));
    onTestFinished(() => streams.forEach((stream) => stream.close()));
    const clients: Pick<HubStream, 'answer'>[] = [...streams, api, api];
    const told: ToldAnswer[] = [];
    const answerAll = async (by: number): Promise<void> => {
      const queue = Array.from({ length: ANSWERS / clients.length }, (_, at) => open[at % QUESTIONS]);
      const work = async (): Promise<void> => {
        for (let asked = queue.pop(); asked; asked = queue.pop()) {
          const { requestId } = asked;
          const said = { behavior: 'allow', updatedInput: { by } } as const;
          const answer = await insist(async () => clients[by]?.answer('a', requestId, said));
          if (!answer) continue;
          const { permission, isFirst } = answer;
          const { state } = permission;
          told.push({ session: 'a', requestId, isFirst, state, response: permission.answer?.response });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    };
    const everybody = Promise.all(clients.map((_, by) => answerAll(by)));
    await until(() => told.length > ANSWERS / 10);
    await stage.killHub();
    await everybody;
    await until(() => isQuiet(stage, 'a'));
    await stage.dismissAgents();
    const evidence = await gather(stage, player, {
      admitted: [{ clientId: 'p', id, delivery: 'queue' }],
      told,
    });
    expect(violationsIn(evidence)).toEqual([]);
    expect(evidence.told).toHaveLength(ANSWERS);
    expect(evidence.permissions.map(({ state }) => state)).toEqual(Array(QUESTIONS).fill('answered'));
  });
});

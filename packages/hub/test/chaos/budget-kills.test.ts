import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '@signalbox/protocol';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { Stage } from './stage.ts';

const SPENDING_AGENT = builtProgram('packages/hub/test/chaos/spending-agent.ts');

/** Replies that a budget has room for. */
const ROOM = 60;
const KILLS = 4;

describe('budgets over kills of the hub', () => {
  it(`[FT1967] over ${KILLS} kills each reply is counted once, the turn ends with the reply that uses the budget up, and that is said once`, async () => {
    const stage = await Stage.set();
    await stage.addPlayer('a', [process.execPath, SPENDING_AGENT]);
    await stage.api.ask('POST /api/rules', { body: { rule: 'Bash', behavior: 'allow' } });
    await stage.api.addBudget({ session: 'a', usd: ROOM * 0.4 });
    const content = 'spend';
    await stage.api.prompt('a', { clientId: 'one', content });
    const said = (type: string): number =>
      stage.runsOf('a').flatMap((run) => run.said.filter((line) => line.includes(`"type":"${type}"`))).length;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await until(() => said('assistant') > 2 * Math.min(ROOM - 2, (kill * ROOM) / KILLS));
      await stage.killHub();
    }
    // Two blocks a reply.
    await until(() => said('result') === 1);
    expect(said('assistant')).toBe(2 * ROOM);
    const prompt = await stage.api.prompt('a', { clientId: 'two', content });
    await stage.killHub();
    const held = await until(async () => {
      const session = await stage.api.session('a');
      return session.state === 'idle' && session.budget?.state === 'reached' ? session : undefined;
    });
    expect(held.budget?.message).toContain('$24.00 of $24.00 spent');
    expect((await stage.api.waitingPrompts('a')).map(({ id }) => id)).toEqual([prompt.id]);
    expect(said('assistant')).toBe(2 * ROOM);
    const { total } = await stage.api.spend();
    expect(total).toMatchObject({ usd: expect.closeTo(ROOM * 0.4, 6), input: ROOM * 100_000, turns: 1 });
    const notes = (await stage.recordOf('a')).flatMap(({ raw }) => {
      const line: unknown = JSON.parse(raw);
      return isJsonObject(line) && line['subtype'] === 'budget' ? [line['state']] : [];
    });
    expect(notes).toEqual(['near', 'reached']);
    // More room, and it goes on.
    const [budget] = await stage.api.budgets();
    await stage.api.changeBudget(budget?.id ?? '', { usd: (ROOM + 1) * 0.4 });
    await until(() => said('result') === 2);
    expect(said('assistant')).toBe(2 * (ROOM + 1));
    await stage.dismissAgents();
  });

  it.each([
    ['is stopped once a hub is back', 1_000_000],
    ['and ends its turn is held once a hub is back', 100],
  ])(
    '[FT3756] an agent that asks nobody and passes its budget while no hub runs %s: all of it is counted, and said once',
    async (_, replies) => {
      const stage = await Stage.set();
      const sign = join(temporaryFolder(), 'go-on');
      await stage.addPlayer('a', [process.execPath, SPENDING_AGENT, `${replies}`, sign]);
      await stage.api.addBudget({ session: 'a', usd: 20 * 0.4 });
      const said = (type: string): number =>
        stage.runsOf('a').flatMap((run) => run.said.filter((line) => line.includes(`"type":"${type}"`)))
          .length;
      await stage.api.prompt('a', { clientId: 'one', content: 'spend' });
      await until(() => said('assistant') > 0);
      await stage.killHub(async () => {
        writeFileSync(sign, '');
        // Two blocks a reply: far above what there is room for.
        await until(() => said('assistant') > 100 && (replies > 100 || said('result') === 1));
      });
      await until(() => said('result') === 1);
      const spent = (said('assistant') / 2) * 0.4;
      const held = await until(async () => {
        const session = await stage.api.session('a');
        return session.state === 'idle' && session.budget?.state === 'reached' ? session : undefined;
      });
      expect(held.budget?.message).toContain(`$${spent.toFixed(2)} of $8.00 spent`);
      expect((await stage.api.spend()).total).toMatchObject({ usd: expect.closeTo(spent, 6), turns: 1 });
      const prompt = await stage.api.prompt('a', { clientId: 'two', content: 'spend' });
      await stage.killHub();
      await until(async () => (await stage.api.session('a')).state === 'idle');
      // That the first one has had an effect is found out after the start.
      const waiting = async () => (await stage.api.waitingPrompts('a')).map(({ id }) => id).join();
      await until(async () => (await waiting()) === prompt.id);
      expect((said('assistant') / 2) * 0.4).toBe(spent);
      const notes = (await stage.recordOf('a')).flatMap(({ raw }) => {
        const line: unknown = JSON.parse(raw);
        return isJsonObject(line) && line['subtype'] === 'budget' ? [line['state']] : [];
      });
      expect(notes.filter((state) => state === 'reached')).toHaveLength(1);
      await stage.dismissAgents();
    },
  );
});

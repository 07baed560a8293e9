import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { gather, isQuiet } from './gathering.ts';
import { violationsIn } from './invariants.ts';
import { Stage } from './stage.ts';

describe('a question of an agent that is gone', () => {
  it('[FT7] is over when the next agent has started, also when the hub hears of both at once', async () => {
    const stage = await Stage.set();
    const player = await stage.addPlayer('a');
    const content = JSON.stringify({ lines: 20, asks: 1, paceMs: 50 });
    const { id } = await stage.api.prompt('a', { clientId: 'p', content });
    await until(() => stage.runsOf('a')[0]?.heard.some((line) => line.includes(id)));
    await stage.killHub(async () => {
      // What the bridge has not read goes with its agent.
      await until(() => stage.journalOf('a').includes('can_use_tool'));
      await stage.killBridge(player);
      await until(() => stage.runsOf('a').length === 2);
    });
    await until(async () => (await stage.recordOf('a')).some(({ raw }) => raw.includes('can_use_tool')));
    await until(() => isQuiet(stage, 'a'));
    await stage.dismissAgents();
    const evidence = await gather(stage, player, {
      admitted: [{ clientId: 'p', id, delivery: 'queue' }],
      told: [],
    });
    expect(evidence.permissions.map(({ state }) => state)).toEqual(['expired']);
    expect(violationsIn(evidence)).toEqual([]);
  });
});

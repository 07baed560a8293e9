import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { gather, isQuiet } from './gathering.ts';
import { violationsIn } from './invariants.ts';
import { Stage } from './stage.ts';

const QUESTIONS = 400;
const KILLS = 4;

describe('answers of a rule', () => {
  it(`[FT1746] reach the agent once each and stand in the record once each, over ${KILLS} kills of the hub`, async () => {
    const stage = await Stage.set();
    const player = await stage.addPlayer('a');
    const added = await stage.api.ask('POST /api/rules', { body: { rule: 'Bash', behavior: 'allow' } });
    const content = JSON.stringify({ lines: QUESTIONS, asks: QUESTIONS, paceMs: 5 });
    const { id } = await stage.api.prompt('a', { clientId: 'p', content });
    const heard = (): number =>
      stage
        .runsOf('a')
        .flatMap(({ heard: lines }) => lines.filter((line) => line.includes('"behavior":"allow"'))).length;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await until(() => heard() > (kill * QUESTIONS) / (KILLS + 2));
      await stage.killHub();
    }
    await until(() => isQuiet(stage, 'a'));
    await stage.dismissAgents();
    const evidence = await gather(stage, player, {
      admitted: [{ clientId: 'p', id, delivery: 'queue' }],
      told: [],
    });
    expect(violationsIn(evidence)).toEqual([]);
    expect(heard()).toBe(QUESTIONS);
    const author = { by: 'hub', rule: 'Bash', ruleId: added.rule.id };
    expect(evidence.permissions.map(({ answer }) => answer?.author)).toEqual(
      Array.from({ length: QUESTIONS }, () => author),
    );
    const answers = evidence.record.filter(({ raw }) => raw.includes('"behavior":"allow"'));
    expect(answers).toHaveLength(QUESTIONS);
    expect(evidence.decisions).toHaveLength(QUESTIONS);
  });
});

import { MessageParseError, parseAgentMessage, parseHostMessage } from '@signalbox/protocol';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { recordings } from '../schema/recordings.ts';
import { errorOf } from '../schema/thrown.ts';
import { mutate } from './mutate.ts';

const LINES = 12_000;
const SEED = 20_261_115;

describe('a peer that sends rubbish', () => {
  it(`[MSG13] ${LINES} mutated lines cause nothing but MessageParseError`, () => {
    const random = new SeededRandom(SEED);
    const lines = recordings.map(({ message }) => JSON.stringify(message));
    const outcomes = { accepted: 0, refused: 0, notJson: 0 };
    for (let round = 0; round < LINES; round += 1) {
      const line = mutate(random.pick(lines), random);
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        outcomes.notJson += 1;
        continue;
      }
      for (const parse of [parseAgentMessage, parseHostMessage]) {
        const error = errorOf(() => parse(value));
        if (error === undefined) outcomes.accepted += 1;
        else if (error instanceof MessageParseError) outcomes.refused += 1;
        else throw new Error(`seed ${SEED}, round ${round}: ${line.slice(0, 500)}`, { cause: error });
      }
    }
    // The mutations are worth their name only while each outcome is frequent.
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(LINES / 20);
  });

  it('[MSG14] half a million wrong items are refused at the first, not collected', () => {
    const wrong = Array.from({ length: 500_000 }, () => 1);
    for (const message of [
      { type: 'system', subtype: 'init', session_id: 's', tools: wrong },
      { type: 'assistant', message: { model: 'm', content: wrong } },
      { type: 'user', message: { role: 'user', content: wrong } },
      { type: 'user', message: { role: 'user', content: [] }, tool_result_meta: wrong },
    ]) {
      expect(errorOf(() => parseAgentMessage(message))).toBeInstanceOf(MessageParseError);
    }
    const variables = Object.fromEntries(wrong.map((value, index) => [`V${index}`, value]));
    expect(() => parseHostMessage({ type: 'update_environment_variables', variables })).toThrow(
      '"variables.V0"',
    );
  });

  it('[MSG14] a nest without end passes where anything may stand and is refused elsewhere', () => {
    const nest: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const results: unknown = JSON.parse(
      `${'{"type":"tool_result","tool_use_id":"t","content":['.repeat(20_000)}${']}'.repeat(20_000)}`,
    );
    const user = { type: 'user', message: { role: 'user', content: [results] }, tool_use_result: nest };
    expect(parseAgentMessage(user)).toBe(user);
    expect(errorOf(() => parseAgentMessage({ ...user, uuid: nest }))).toBeInstanceOf(MessageParseError);
  });

  it('[MSG14] a name of a megabyte does not make an error of a megabyte', () => {
    const long = 'k'.repeat(1_000_000);
    const error = errorOf(() =>
      parseHostMessage({ type: 'update_environment_variables', variables: { [long]: 1 } }),
    );
    expect(error).toBeInstanceOf(MessageParseError);
    expect(String(error).length).toBeLessThan(500);
  });
});

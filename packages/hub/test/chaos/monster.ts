import type { SeededRandom } from '@signalbox/testing/seeded-random';
import { nested, questionLine } from '../limits/nested-json.ts';

/** The ways by which something that is too deep or too large can come to a hub. */
export const DOORS = [
  'question',
  'reply',
  'init',
  'preview',
  'answer of the agent',
  'posted',
  'prompt',
  'changed input',
  'stream',
  'wire',
] as const;

/** Something that no hub should be stopped by. */
export interface Monster {
  door: (typeof DOORS)[number];
  levels: number;
  bytes: number;
}

/** Depths from 100 to 1,000,000 and sizes from 1 KiB to 64 MB, the small ones as often as the large ones. */
export function monsterFrom(random: SeededRandom, at: number): Monster {
  const levels = Math.round(10 ** (2 + 4 * random.fraction()));
  const bytes = Math.round(1000 * 64_000 ** random.fraction());
  return { door: DOORS[at % DOORS.length] ?? 'question', levels, bytes };
}

/** The value itself, in which text makes up for what the levels lack in length. */
export function valueOf({ levels, bytes }: Monster): string {
  const deep = nested(levels);
  return `{"deep":${deep},"text":"${'x'.repeat(Math.max(0, bytes - deep.length))}"}`;
}

/** The line that an agent would say; undefined for a door that is not an agent's. */
export function lineOf(monster: Monster, id: string): string | undefined {
  const value = valueOf(monster);
  switch (monster.door) {
    case 'question':
    case 'posted':
      return questionLine(id, value);
    case 'reply': {
      const content = `[{"type":"tool_use","id":"t","name":"Bash","input":${value}}]`;
      return `{"type":"assistant","message":{"role":"assistant","content":${content}},"uuid":"${id}"}`;
    }
    case 'init':
      return `{"type":"system","subtype":"init","cwd":"/${'y'.repeat(monster.bytes)}","tools":[${nested(monster.levels)}],"uuid":"${id}"}`;
    case 'preview':
      return `{"type":"stream_event","event":${value},"uuid":"${id}"}`;
    case 'answer of the agent':
      return `{"type":"control_response","response":{"subtype":"success","request_id":"${id}","response":${value}}}`;
    default:
      return undefined;
  }
}

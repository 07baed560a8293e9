import { execFile } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type ChainedEntry, followConversation } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { sessionFolder } from './session-folder.ts';

const RUNS = 300;
const LONG = 100_000;
/** Node gives up past this; the transcript alone takes 64 MB. */
const HEAP_LIMIT_MB = 160;

const run = promisify(execFile);

/** Small and seeded: a failing run can be run again. */
function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    return (state >>> 0) % below;
  };
}

function entry(uuid: string, parentUuid: string | null, role: 'user' | 'assistant' = 'user'): ChainedEntry {
  return { type: role, uuid, parentUuid, message: { role, content: uuid } };
}

const names = (entries: readonly ChainedEntry[]) => entries.map(({ uuid }) => uuid);

describe('the conversation of a transcript', () => {
  it('[SE11] is the way from the newest message to the first, in any tree', () => {
    for (let seed = 0; seed < RUNS; seed += 1) {
      const below = random(seed);
      const entries: ChainedEntry[] = [];
      const paths = new Map<string, string[]>();
      const size = 1 + below(60);
      for (let n = 0; n < size; n += 1) {
        const parent = n === 0 || below(20) === 0 ? undefined : entries[below(n)];
        const path = [...(parent ? (paths.get(parent.uuid) ?? []) : []), `e${n}`];
        paths.set(`e${n}`, path);
        entries.push(entry(`e${n}`, parent?.uuid ?? null, below(2) === 0 ? 'user' : 'assistant'));
      }
      expect(names(followConversation(entries)), `seed ${seed}`).toEqual(
        paths.get(entries.at(-1)?.uuid ?? ''),
      );
    }
  });

  it('[SE11] ends, whatever the parents say', () => {
    for (let seed = 0; seed < RUNS; seed += 1) {
      const below = random(seed);
      const size = 1 + below(30);
      const entries = Array.from({ length: size }, (_, n) => entry(`e${n}`, `e${below(size + 5)}`));
      const found = names(followConversation(entries));
      expect(found.at(-1), `seed ${seed}`).toBe(`e${size - 1}`);
      expect(new Set(found).size).toBe(found.length);
    }
  });

  it('[SE14] a line that was lost does not take along what was said before it', () => {
    const whole = Array.from({ length: 20 }, (_, n) => entry(`e${n}`, n === 0 ? null : `e${n - 1}`));
    for (let lost = 1; lost < 19; lost += 1) {
      const rest = whole.toSpliced(lost, 1);
      expect(followConversation(rest)).toEqual(rest);
    }
  });

  it(`[SE21] ${LONG} entries load in bounded memory`, async () => {
    const { store } = await sessionFolder();
    const file = await store(crypto.randomUUID(), []);
    const content = 'x'.repeat(500);
    for (let at = 0; at < LONG; at += 10_000) {
      let lines = '';
      for (let n = at; n < at + 10_000; n += 1) {
        const type = n % 2 === 0 ? 'user' : 'assistant';
        const message = { role: type, id: `m${n}`, content: [{ type: 'text', text: content }] };
        lines += `${JSON.stringify({ type, uuid: `e${n}`, parentUuid: n === 0 ? null : `e${n - 1}`, message })}\n`;
      }
      await appendFile(file, lines);
    }
    const script = builtProgram('packages/agent/test/session/loading-child.ts');
    const args = [`--max-old-space-size=${HEAP_LIMIT_MB}`, script, file];
    expect((await run(process.execPath, args)).stdout).toBe(`${LONG} ${LONG}`);
  });
});

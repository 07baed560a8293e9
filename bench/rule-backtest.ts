import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backtest } from '../packages/hub/src/policy/backtest.ts';
import type { Effect } from '../packages/hub/src/store/commit.ts';
import { openSqliteStore } from '../packages/hub/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../packages/hub/src/store/store.ts';
import { type Benchmark, median, type Row } from './measure.ts';

const REQUESTS = 100_000;
const SESSIONS = 200;
const MOST_MS = 2000;
const ROUNDS = 3;

/** What agents ask, no two alike: half of it shell lines, of which one in ten runs the program of the rule. */
function requestOf(at: number): Record<string, unknown> {
  const kinds = [
    { tool_name: 'Bash', input: { command: commandOf(at), description: 'Do the next step' } },
    { tool_name: 'Read', input: { file_path: `/work/project/src/part-${at}.ts` } },
    { tool_name: 'Bash', input: { command: commandOf(at), description: 'Look around' } },
    {
      tool_name: 'Edit',
      input: {
        file_path: `/work/project/src/part-${at}.ts`,
        old_string: `a${at}`.repeat(20),
        new_string: 'b',
      },
    },
  ];
  return { subtype: 'can_use_tool', ...kinds[at % kinds.length], tool_use_id: `toolu_${at}` };
}

function commandOf(at: number): string {
  switch ((at >> 1) % 10) {
    case 0:
      return `npm test -- --filter part-${at}`;
    case 1:
      return `cd packages/part-${at} && git status --short | head -${at % 50}`;
    case 2:
      return `git commit -m "part ${at}: mend the build"`;
    default:
      return `cargo build -p part-${at} 2>&1 | tail -5`;
  }
}

async function fill(store: Store): Promise<void> {
  for (let at = 0; at < SESSIONS; at += 1) await store.sessions.create(`s-${at}`, {});
  const author = { by: 'person', name: 'Ada', device: 'laptop' } as const;
  for (let start = 0; start < REQUESTS; start += 1000) {
    const effects = Array.from({ length: 1000 }, (_, offset): Effect[] => {
      const at = start + offset;
      const [session, requestId, request] = [`s-${at % SESSIONS}`, `r-${at}`, requestOf(at)];
      const what = at % 50 === 0 ? 'deny' : 'allow';
      const answer = { author, response: { behavior: what, updatedInput: request.input }, what, why: null };
      return [
        { kind: 'open-permission', session, requestId, request },
        { kind: 'answer-permission', session, requestId, answer },
      ];
    });
    await store.commit({ effects: effects.flat() });
  }
}

export const ruleBacktest: Benchmark = {
  name: 'rules',
  title: 'Rules: what one would have done',
  async run(): Promise<Row[]> {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
    const store = await openSqliteStore(join(folder, 'hub.db'));
    try {
      await fill(store);
      const timeOf = async (rule: string): Promise<number> => {
        const scope = { id: '', folder: null, session: null, author: { by: 'hub' }, createdAt: 0 } as const;
        const times: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const start = performance.now();
          await backtest(store, { rule, behavior: 'allow', isStored: true, ...scope });
          times.push(performance.now() - start);
        }
        return median(times);
      };
      const rows: Row[] = [];
      for (const rule of ['Bash(npm test:*)', 'Bash(cargo build:*)', 'Edit(//work/project/**)']) {
        const took = await timeOf(rule);
        rows.push({
          what: `${rule} against ${REQUESTS.toLocaleString('en')} requests`,
          baseline: '–',
          ours: `${took.toFixed(0)} ms`,
          ratio: `${((took * 1000) / REQUESTS).toFixed(1)} µs each`,
          target: `≤ ${MOST_MS} ms`,
          met: took <= MOST_MS,
        });
      }
      return rows;
    } finally {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

// npm run bench [-- name …] [--write]: measures ratios, prints them, and with --write puts them into docs/BENCHMARKS.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { agentBashOutput } from './agent-bash-output.ts';
import { agentStart } from './agent-start.ts';
import { agentTurns } from './agent-turns.ts';
import { commandStart } from './command-start.ts';
import { consolePage } from './console-page.ts';
import { folderChanges } from './folder-changes.ts';
import { hubLive } from './hub-live.ts';
import { hubLoad } from './hub-load.ts';
import { hubPostgres } from './hub-postgres.ts';
import { hubSearch } from './hub-search.ts';
import { hubStore } from './hub-store.ts';
import { lineHead } from './line-head.ts';
import type { Benchmark, Row } from './measure.ts';
import { ndjson } from './ndjson.ts';
import { nodes } from './nodes.ts';
import { notices } from './notices.ts';
import { ruleBacktest } from './rule-backtest.ts';
import { scale } from './scale.ts';
import { sdk } from './sdk.ts';
import { shellDecisions } from './shell-decisions.ts';
import { terminals } from './terminals.ts';
import { websocket } from './websocket.ts';

const ALL: readonly Benchmark[] = [
  ndjson,
  lineHead,
  websocket,
  agentStart,
  agentTurns,
  agentBashOutput,
  commandStart,
  shellDecisions,
  sdk,
  hubStore,
  hubPostgres,
  scale,
  nodes,
  hubSearch,
  hubLive,
  hubLoad,
  folderChanges,
  ruleBacktest,
  notices,
  terminals,
  consolePage,
];
const DOCUMENT = new URL('../docs/BENCHMARKS.md', import.meta.url);
const MARK = '<!-- measured -->';

function table(title: string, rows: readonly Row[]): string {
  const cells = rows.map(({ what, baseline, ours, ratio, target, met }) => {
    const verdict = met === undefined ? '' : met ? ' ✓' : ' ✗';
    return `| ${what} | ${baseline} | ${ours} | **${ratio}**${verdict} | ${target} |`;
  });
  return [
    `## ${title}`,
    '',
    '| what | baseline | ours | ratio | target |',
    '|---|---|---|---|---|',
    ...cells,
    '',
  ].join('\n');
}

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('--'));
const unknown = names.filter((name) => !ALL.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${ALL.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const tables: string[] = [];
for (const benchmark of ALL.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const text = table(benchmark.title, await benchmark.run());
  console.log(text);
  tables.push(text);
}
if (words.includes('--write') && names.length === 0) {
  const [head = ''] = readFileSync(DOCUMENT, 'utf8').split(MARK);
  writeFileSync(DOCUMENT, `${head}${MARK}\n\n${tables.join('\n')}`);
}
process.exit(0);

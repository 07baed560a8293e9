import { type Benchmark, faster, median, type Row } from './measure.ts';
import { browserBundleBytes, type Contender, type HostRun, SdkStage } from './sdk-stage.ts';

const REFERENCE = '0.3.325';
const START_ROUNDS = 25;
const STREAM_ROUNDS = 7;

const IDS = {
  parent_tool_use_id: null,
  session_id: '4e72334f-9bae-403e-838e-c3776b472055',
  uuid: '5a7892a4-22dd-4225-b766-f6f9447eeabd',
};
const INIT = JSON.stringify({ type: 'system', subtype: 'init', claude_code_version: '2.1.325', ...IDS });
const RESULT = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: '', ...IDS });

const DELTA = JSON.stringify({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: textOf(24) } },
  ...IDS,
});
const REPLY = JSON.stringify({
  type: 'assistant',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: textOf(3600) }],
  },
  ...IDS,
});
const FILE = JSON.stringify({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: textOf(60_000) }] },
  ...IDS,
});

/** Of each size as many as make a hundred megabytes, about. */
const FLOODS = [
  { what: 'deltas', message: DELTA, count: 400_000 },
  { what: 'replies', message: REPLY, count: 25_000 },
  { what: 'tool results', message: FILE, count: 1600 },
];

/** Text as agents write it: with quotes and line ends, which JSON escapes. */
function textOf(length: number): string {
  const words = 'a few words of text, and a "quoted" one.\n';
  return words.repeat(Math.ceil(length / words.length)).slice(0, length);
}

type Runs = Record<Contender, HostRun[]>;

/** By turns, so that a slow moment of the machine hits all of them. */
async function play(stage: SdkStage, script: string, rounds: number): Promise<Runs> {
  const runs: Runs = { reference: [], ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    runs.reference.push(await stage.play('reference', script));
    runs.ours.push(await stage.play('ours', script));
    runs.bare.push(await stage.play('bare', script));
  }
  return runs;
}

async function starts(stage: SdkStage): Promise<Row[]> {
  const runs = await play(stage, stage.script('start', [INIT, RESULT]), START_ROUNDS);
  const row = (what: string, of: (run: HostRun) => number, atMost: number): Row => {
    const [theirs, mine] = [median(runs.reference.map(of)), median(runs.ours.map(of))];
    return {
      what,
      baseline: `${theirs.toFixed(1)} ms`,
      ours: `${mine.toFixed(1)} ms`,
      ratio: `${(mine / theirs).toFixed(2)} ×`,
      target: `≤ ${atMost} ×`,
      met: mine / theirs <= atMost,
    };
  };
  return [
    row('import of the package', ({ importMs }) => importMs, 0.25),
    row('import, `query()`, first message', ({ importMs, firstMs }) => importMs + firstMs, 0.5),
    row('the same without the import', ({ firstMs }) => firstMs, 0.5),
  ];
}

async function floods(stage: SdkStage): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, message, count } of FLOODS) {
    const lines = [INIT, ...Array.from({ length: count }, () => message), RESULT];
    const runs = await play(stage, stage.script(what, lines), STREAM_ROUNDS);
    const row = (title: string, beside: Contender, of: (run: HostRun) => number, atLeast?: number): Row =>
      faster(title, median(runs[beside].map(of)), median(runs.ours.map(of)), atLeast);
    const title = `${count.toLocaleString('en')} ${what} of ${message.length.toLocaleString('en')} bytes`;
    rows.push(
      row(`${title}: processor time`, 'reference', ({ streamCpuMs }) => streamCpuMs, 2),
      row('the same: time by the clock', 'reference', ({ streamMs }) => streamMs),
      row('the same: processor time, against a bare loop', 'bare', ({ streamCpuMs }) => streamCpuMs),
    );
  }
  return rows;
}

async function run(): Promise<Row[]> {
  const stage = await SdkStage.open(REFERENCE);
  try {
    const bytes = await browserBundleBytes();
    return [
      ...(await starts(stage)),
      ...(await floods(stage)),
      {
        what: '`signalbox/browser`, minified and gzipped',
        baseline: '–',
        ours: `${(bytes / 1000).toFixed(1)} kB`,
        ratio: '–',
        target: '≤ 15 kB',
        met: bytes <= 15_000,
      },
    ];
  } finally {
    stage.close();
  }
}

export const sdk: Benchmark = {
  name: 'sdk',
  title: `The SDK, against \`@anthropic-ai/claude-agent-sdk\` ${REFERENCE}`,
  run,
};

import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { HubApi, HubTerminal } from 'signalbox/hub';
import { WebSocket } from 'ws';
import { LIMITS } from '../packages/protocol/src/limits.ts';
import { Contender } from './hub-live.ts';
import { Helper, type Place, startHub } from './hub-stage.ts';
import { type Benchmark, median, type Row } from './measure.ts';

const PRINTED_BYTES = 100_000_000;
const SLICE = 20_000;
const BASELINE_SLICES = 8;
const KEYS = 300;
const COLD_ROUNDS = 12;
const WARM_ROUNDS = 12;
const ATTACHES = 15;
const MAX_ATTACH_MS = 200;
const MAX_HOPS = 3;
const MIN_SHARE = 0.9;
const MAX_MIB = 256;

/** A hub, and a session in which terminals can be started. */
interface Stage {
  place: Place;
  api: HubApi;
  url: string;
  session: string;
}

async function setStage(): Promise<Stage> {
  const place = await startHub();
  const url = place.url.replace('ws', 'http');
  const api = new HubApi({ url, token: place.token });
  const launch = { agent: 'scripted', folder: mkdtempSync(join(tmpdir(), 'signalbox-bench-')) } as const;
  const { session } = await api.ask('POST /api/sessions', { body: { launch } });
  return { place, api, url, session: session.id };
}

/** One who looks at a terminal and may type. */
async function look(
  { url, place: { token }, session }: Stage,
  number: number,
  onOutput: (bytes: Uint8Array) => void = () => {},
  scrollback = 0,
): Promise<HubTerminal> {
  return new Promise((resolve) => {
    const terminal = new HubTerminal({
      url,
      token,
      session,
      number,
      scrollback,
      onOutput,
      onScreen: () => {},
      onState: (state) => {
        if (state === 'open') resolve(terminal);
      },
    });
  });
}

/** What a process has had at most. */
function peakMib(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** A tick of the clock of /proc. */
const TICK_MS = 10;

/** What the processes of a name that this one has started have used so far, with what they have started. */
function cpuMsOf(name: string): number {
  const all = readdirSync('/proc').flatMap((pid) => {
    try {
      const [before = '', after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/);
      const [, parent = '', ...fields] = after.split(' ');
      return [{ pid, parent, name: before, ticks: Number(fields[9]) + Number(fields[10]) }];
    } catch {
      // Not a process, or not any more.
      return [];
    }
  });
  const own = new Set([String(process.pid)]);
  for (let size = 0; size < own.size; ) {
    size = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all.reduce(
    (sum, one) => sum + (own.has(one.pid) && one.name.includes(name) ? one.ticks * TICK_MS : 0),
    0,
  );
}

/** What one process has used so far. */
function ownCpuMs(pid: number): number {
  const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/);
  const fields = after.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Messages a second, and the hub's processor time for each in microseconds; in slices, until enough or until `isOver`. */
async function flood(lines: Contender, slices: number, isOver: () => boolean) {
  let [count, ms, cpuMs] = [0, 0, 0];
  while (count < slices * SLICE && !isOver()) {
    const slice = await lines.flood(SLICE);
    ms += slice.ms;
    cpuMs += slice.cpuMs;
    count += SLICE;
  }
  return { rate: (count * 1000) / ms, cpuUs: (cpuMs * 1000) / count };
}

/** Agent lines as fast as they go, while a terminal that a page shows prints without end; then all of it, to its end. */
async function outputRows(stage: Stage): Promise<Row[]> {
  const { api, place, session, url } = stage;
  const lines = await Contender.set(place, 1);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const page = await (await browser.newContext()).newPage();
    const link = await api.ask('POST /api/sign-in-links', { body: { name: 'bench', scope: 'admin' } });
    await page.goto(`${url}${link.path}`);
    await page.getByRole('button', { name: 'New session' }).first().waitFor();
    await page.goto(`${url}/sessions/${session}`);
    await page.getByRole('tab', { name: 'Terminal' }).click();
    await page.getByRole('button', { name: 'Start a terminal' }).click();
    await page.locator('.xterm-rows').waitFor();
    const [{ pid, number } = { pid: 0, number: 0 }] = await api.terminals(session);
    const typist = await look(stage, number);
    await flood(lines, 2, () => false);
    const idle = { ms: performance.now(), drawn: cpuMsOf('chrom') };
    const without = await flood(lines, BASELINE_SLICES, () => false);
    const drawnAnyway = (cpuMsOf('chrom') - idle.drawn) / (performance.now() - idle.ms);
    const peaks = (): number[] => [peakMib(place.process.pid), peakMib(pid ?? 0)];
    const peaksBefore = peaks();
    const shown = { isOver: false };
    const used = (): number[] => [ownCpuMs(pid ?? 0), cpuMsOf('chrom')];
    const before = used();
    const startMs = performance.now();
    typist.type(`yes "$(seq -s ' ' 30)" | head -c ${PRINTED_BYTES}; echo; echo all-$((1+1))\n`);
    const over = page
      .locator('.xterm-rows')
      .getByText(/^all-2$/)
      .waitFor({ timeout: 600_000 })
      .then(() => {
        shown.isOver = true;
        return performance.now() - startMs;
      });
    const beside = await flood(lines, Number.POSITIVE_INFINITY, () => shown.isOver);
    const ms = await over;
    const [host = 0, browserMs = 0] = used().map((now, at) => now - (before[at] ?? 0));
    // The page shows that the agent works, too.
    const drawn = Math.max(0, browserMs - drawnAnyway * ms);
    const passing = (Math.max(0, beside.cpuUs - without.cpuUs) * (beside.rate * ms)) / 1e6;
    typist.close();
    const after = await flood(lines, BASELINE_SLICES, () => false);
    const alone = (without.rate + after.rate) / 2;
    const share = beside.rate / alone;
    const most = peaks();
    const inMib = (all: number[]): string => all.map((mib) => `${mib.toFixed(0)} MiB`).join(', ');
    const rate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
    return [
      {
        what: `messages of one agent to 1 viewer while a terminal prints 100 MB in Chromium (in ${(ms / 1000).toFixed(0)} s), against none that prints`,
        baseline: rate(alone),
        ours: rate(beside.rate),
        ratio: `${share.toFixed(2)} ×`,
        target: `≥ ${MIN_SHARE} ×`,
        met: share >= MIN_SHARE,
      },
      {
        what: 'the same: processor time of the hub a message, what it passes on of the terminal included',
        baseline: `${without.cpuUs.toFixed(1)} µs`,
        ours: `${beside.cpuUs.toFixed(1)} µs`,
        ratio: `${(beside.cpuUs / without.cpuUs).toFixed(2)} ×`,
        target: '–',
        met: undefined,
      },
      {
        what: `the same: processor time that the printing took of ${availableParallelism()} cores: in the terminal’s process, in Chromium, and in the hub beside its lines`,
        baseline: `${((availableParallelism() * ms) / 1000).toFixed(1)} s there were`,
        ours: [host, drawn, passing].map((cpu) => `${(cpu / 1000).toFixed(1)} s`).join(', '),
        ratio: `${(((host + drawn + passing) * 100) / (availableParallelism() * ms)).toFixed(0)} %`,
        target: '–',
        met: undefined,
      },
      {
        what: 'the same: most memory of the hub, and of the terminal’s process, against that before the printing',
        baseline: inMib(peaksBefore),
        ours: inMib(most),
        ratio: '–',
        target: `≤ ${MAX_MIB} MiB`,
        met: Math.max(...most) <= MAX_MIB,
      },
    ];
  } finally {
    await browser.close();
    await lines.end();
  }
}

/** How long each key takes to come back, at the median. */
async function echoMs(send: (key: string) => void, heard: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < KEYS; at += 1) {
    const startMs = performance.now();
    const back = heard();
    send('x');
    await back;
    times.push(performance.now() - startMs);
  }
  return median(times);
}

/** From a key to its echo, beside a terminal with nothing but a WebSocket before it. */
async function echoRow(stage: Stage): Promise<Row> {
  const helper = await Helper.start('./bare-terminal.ts');
  const base = await helper.ask<string>({ do: 'listen' });
  const dial = async (path: string): Promise<() => Promise<number>> => {
    const socket = new WebSocket(`${base}${path}`, { perMessageDeflate: false });
    await once(socket, 'open');
    return () =>
      echoMs(
        (key) => socket.send(key),
        () => once(socket, 'message'),
      );
  };
  const { number } = await stage.api.startTerminal(stage.session);
  let told = (): void => {};
  const typist = await look(stage, number, () => told());
  const heard = (): Promise<void> =>
    new Promise((resolve) => {
      told = resolve;
    });
  const ready = heard();
  typist.type('exec cat\n');
  await ready;
  const contenders = {
    echo: await dial('/echo'),
    bare: await dial('/terminal'),
    hub: () => echoMs((key) => void typist.type(key), heard),
  };
  const times: Record<string, number[]> = {};
  for (let round = 0; round < COLD_ROUNDS + WARM_ROUNDS; round += 1)
    for (const [name, contender] of Object.entries(contenders)) (times[name] ??= []).push(await contender());
  typist.close();
  await helper.end();
  // The first keys of all three are for the compilers.
  const of = (name: keyof typeof contenders): number => median(times[name]?.slice(COLD_ROUNDS) ?? []);
  const hop = of('echo') / 2;
  const hops = (of('hub') - of('bare')) / hop;
  return {
    what: `from a key to its echo: what hub and terminal’s process add to a bare terminal behind a WebSocket (${of('bare').toFixed(2)} ms), in hops of ${hop.toFixed(3)} ms; ${((times.hub?.[0] ?? 0) - (times.bare?.[0] ?? 0)).toFixed(2)} ms at the first ${KEYS} keys`,
    baseline: `${of('bare').toFixed(2)} ms`,
    ours: `${of('hub').toFixed(2)} ms`,
    ratio: `${hops.toFixed(1)} hops`,
    target: `≤ ${MAX_HOPS} hops`,
    met: hops <= MAX_HOPS,
  };
}

/** To come to a terminal whose scrollback is full of lines in colours. */
async function attachRow(stage: Stage): Promise<Row> {
  const { number } = await stage.api.startTerminal(stage.session, { cols: 120, rows: 40 });
  let text = '';
  const seen = new Promise<void>((resolve) => {
    void look(stage, number, (bytes) => {
      text = (text + Buffer.from(bytes).toString('latin1')).slice(-200);
      if (text.includes('full-2')) resolve();
    }).then((typist) => {
      const line = String.raw`\e[3%dm%05d\e[0m %0100d\n`;
      typist.type(`for i in {1..3000}; do printf '${line}' $((i%8)) $i $i; done; echo full-$((1+1))\n`);
    });
  });
  await seen;
  const times: number[] = [];
  for (let at = 0; at <= ATTACHES; at += 1) {
    const startMs = performance.now();
    const viewer = await look(stage, number, undefined, LIMITS.terminalScrollback.most);
    if (at > 0) times.push(performance.now() - startMs);
    viewer.close();
  }
  const ms = median(times);
  return {
    what: `from a dial to the screen of a terminal with all ${LIMITS.terminalScrollback.most.toLocaleString('en')} lines that have left it, in colours`,
    baseline: '–',
    ours: `${ms.toFixed(0)} ms`,
    ratio: '–',
    target: `≤ ${MAX_ATTACH_MS} ms`,
    met: ms <= MAX_ATTACH_MS,
  };
}

/** Terminals through a hub, beside its other work and beside a terminal without one. */
export const terminals: Benchmark = {
  name: 'terminals',
  title: 'Terminals',
  async run(): Promise<Row[]> {
    const stage = await setStage();
    const { api, session, place } = stage;
    try {
      return [...(await outputRows(stage)), await echoRow(stage), await attachRow(stage)];
    } finally {
      for (const { number } of await api.terminals(session)) await api.endTerminal(session, number);
      await api.ask('POST /api/sessions/{session}/stop', { params: { session } });
      await place.process.end();
    }
  },
};

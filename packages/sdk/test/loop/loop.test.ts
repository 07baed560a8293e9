import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '@signalbox/model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LoopNews, type LoopOptions, type LoopRun, loop, type Options } from '../../src/index.ts';
import { fakeAgent, untilGone } from '../fake-agent.ts';
import { BareClient } from '../listen/bare-client.ts';

const AGENT = fileURLToPath(new URL('../../../../dist/signalbox-agent.js', import.meta.url));

/** An agent that answers each prompt with its own number, costs a quarter dollar, and says `stop` for an interrupt. */
const COUNTING = `
let turns = 0;
const tell = (fields) => result({ session_id: 's-' + process.pid, total_cost_usd: 0.25 * turns, num_turns: 2, ...fields });
return {
  user: ({ message }) => {
    turns += 1;
    const words = JSON.stringify(message.content);
    if (words.includes('wait')) return;
    tell({ result: 'turn ' + turns + ' of ' + words });
  },
  interrupt: (said) => {
    answer(said, {});
    tell({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming', errors: [] });
  },
};`;

async function newsOf(run: LoopRun, onNews: (news: LoopNews) => void = () => {}): Promise<LoopNews[]> {
  const all: LoopNews[] = [];
  for await (const news of run) {
    all.push(news);
    onNews(news);
  }
  return all;
}

async function counting(more: Partial<LoopOptions> = {}) {
  const agent = await fakeAgent(COUNTING);
  const run = loop({ prompt: 'go', options: agent.options({ cwd: agent.folder }), ...more });
  onTestFinished(async () => void (await run.return?.()));
  return { agent, run };
}

describe('loop', () => {
  it('[SD1593] runs a fresh agent for each iteration, tells what it says, and sums up with what changed', async () => {
    const { agent, run } = await counting({ maxIterations: 2 });
    execFileSync('git', ['init', '-q'], { cwd: agent.folder });
    // What the agent of the test notes is no change.
    writeFileSync(join(agent.folder, '.gitignore'), '*\n!file-*\n');
    const news = await newsOf(run, ({ type }) => {
      if (type === 'begun') writeFileSync(join(agent.folder, `file-${run.progress.iteration}`), 'x\n');
    });
    expect(news.map(({ type }) => type)).toEqual(['begun', 'message', 'over', 'begun', 'message', 'over']);
    const { end, reason, iterations, turns, costUsd, changes } = await run.finish();
    expect({ end, code: reason.code, turns, costUsd }).toEqual({
      end: 'done',
      code: 'all_iterations',
      turns: 4,
      costUsd: 0.5,
    });
    expect(new Set(iterations.map(({ session }) => session)).size).toBe(2);
    expect(iterations).toMatchObject([
      { number: 1, how: 'well', text: expect.stringContaining('turn 1'), changes: { insertions: 1 } },
      { number: 2, how: 'well', text: expect.stringContaining('turn 1'), step: 'over' },
    ]);
    expect(changes).toMatchObject({ insertions: 2 });
  });

  it('[SD1593] ends with its text, its command, its budget, its iterations and its failures', async () => {
    const text = await counting({ untilText: 'turn 2', keepSession: true });
    expect(await text.run.finish()).toMatchObject({
      end: 'done',
      reason: { code: 'until_text' },
      costUsd: 0.5,
    });
    expect((await text.agent.log()).filter(({ started }) => started !== undefined)).toHaveLength(1);
    const command = await counting({ untilCommand: 'echo >> checks; test "$(wc -l < checks)" -ge 2' });
    const met = await command.run.finish();
    expect(met).toMatchObject({ end: 'done', reason: { code: 'until_command' } });
    expect(met.iterations.map(({ check }) => check)).toEqual(['unmet', 'met']);
    const budget = await counting({ untilText: 'never', budgetUsd: 0.4 });
    expect(await budget.run.finish()).toMatchObject({
      end: 'limit',
      reason: { code: 'budget_usd' },
      costUsd: 0.5,
    });
    const limit = await counting({ untilText: 'never', maxIterations: 1 });
    expect(await limit.run.finish()).toMatchObject({ end: 'limit', reason: { code: 'max_iterations' } });
    const broken = await fakeAgent('console.error("no licence here"); process.exit(3);');
    const failed = await loop({ prompt: 'go', options: broken.options() }).finish();
    expect(failed).toMatchObject({
      end: 'failed',
      reason: { message: expect.stringContaining('no licence here') },
    });
    expect(failed.iterations).toHaveLength(3);
  });

  it('[SD1594] is paused, changed, resumed and stopped; leaving it ends its agent', async () => {
    const { run } = await counting({ maxIterations: 5 });
    const news = await newsOf(run, ({ type }) => {
      if (type === 'begun' && run.progress.iteration === 1) run.pause();
      if (type !== 'paused') return;
      run.edit({ maxIterations: 2 });
      run.resume();
    });
    expect(news.map(({ type }) => type).join()).toBe('begun,message,over,paused,begun,message,over');
    const waiting = await counting({ prompt: 'wait' });
    const stopped = await newsOf(waiting.run, ({ type }) => {
      if (type === 'begun') setImmediate(() => waiting.run.stop());
    });
    expect(stopped.at(-1)).toMatchObject({ type: 'over', iteration: { how: 'interrupted' } });
    expect(await waiting.run.finish()).toMatchObject({ end: 'stopped' });
    const left = await counting();
    for await (const { type } of left.run) if (type === 'message') break;
    const { started } = await left.agent.start();
    await untilGone(started);
    expect(await left.run.finish()).toMatchObject({ end: 'stopped' });
  });

  it('[SD1594] says what makes no sense, and when its prompt file is gone', async () => {
    for (const wrong of [
      {},
      { prompt: 'a', promptFile: '/b' },
      { prompt: ' ' },
      { prompt: 'a', maxIterations: 0 },
      { prompt: 'a', maxIterations: 1.5 },
      { prompt: 'a', budgetUsd: -1 },
      { prompt: 'a', untilText: '' },
      { prompt: 'a', options: { resume: 's' } },
    ])
      expect(() => loop(wrong)).toThrow(expect.objectContaining({ code: 'OPTIONS_INVALID' }));
    const agent = await fakeAgent(COUNTING);
    const promptFile = join(agent.folder, 'PROMPT.md');
    writeFileSync(promptFile, 'first');
    const run = loop({ promptFile, options: agent.options() });
    await newsOf(run, ({ type }) => {
      if (type === 'over' && run.progress.iteration === 1) writeFileSync(promptFile, 'second');
      if (type === 'over' && run.progress.iteration === 2) rmSync(promptFile);
    });
    const { end, reason, iterations } = await run.finish();
    expect({ end, code: reason.code }).toEqual({ end: 'failed', code: 'LOOP_PROMPT_FILE' });
    expect(iterations.map(({ text }) => /first|second/.exec(text)?.[0])).toEqual(['first', 'second']);
  });

  it('[SD1595] with a relay agents dial with --sdk-url, and observers on /ws hear them all', async () => {
    const model = await startScriptedModel({ scenario: 'puppet' });
    onTestFinished(() => model.close());
    const { folder } = await fakeAgent('');
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'x',
    };
    const options: Options = { cwd: folder, env, pathToClaudeCodeExecutable: AGENT };
    await isHeard(options, 'say hello there', 'hello there');
  });

  it('[SD1595] an agent that refuses --sdk-url runs behind a bridge, and is heard as well', async () => {
    const refusing = `if (process.argv.some((word) => word.includes('sdk-url'))) process.exit(1);${COUNTING}`;
    const agent = await fakeAgent(refusing);
    await isHeard(agent.options({ cwd: agent.folder }), 'go', 'turn 1');
    const starts = (await agent.log()).flatMap(({ argv }) =>
      argv ? [argv.join(' ').includes('sdk-url')] : [],
    );
    expect(starts).toEqual([true, false, false]);
  });
});

/** Two iterations whose words reach an observer; strangers are no agents of the loop. */
async function isHeard(options: Options, prompt: string, words: string): Promise<void> {
  const run = loop({ prompt, options, maxIterations: 2, relay: { port: 0 } });
  onTestFinished(async () => void (await run.return?.()));
  const url = (await run.url) ?? '';
  expect(await BareClient.refusal(url)).toBe(401);
  const observer = await BareClient.dial(`${url}/ws`);
  const { end, iterations } = await run.finish();
  expect(end).toBe('done');
  expect(iterations.map(({ text }) => text.includes(words))).toEqual([true, true]);
  const sessions = new Set(iterations.map(({ session }) => session));
  expect(sessions.size).toBe(2);
  for (const session of sessions)
    await observer.hears(({ type, session_id: id }) => type === 'result' && id === session);
  expect(observer.statuses.filter((text) => text === 'claude code connected')).toHaveLength(2);
}

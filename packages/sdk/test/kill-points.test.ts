import { once } from 'node:events';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it, onTestFinished } from 'vitest';
import { query } from '../src/index.ts';
import { fakeAgent, prompt, untilGone } from './fake-agent.ts';
import { startHost } from './host-program.ts';

const SEED = Number(process.env['SIGNALBOX_SEED'] ?? 20_260);
const POINTS = Number(process.env['SIGNALBOX_KILL_POINTS'] ?? 24);
const HOST_POINTS = Math.ceil(POINTS / 8);

/** Talks, asks and takes its time, and breaks in the way and at the step that its environment says. */
const FRAGILE = `
  const { KILL_AT, KILL_HOW } = process.env;
  let step = 0;
  const breakOff = () => {
    if (step++ !== Number(KILL_AT)) return;
    if (KILL_HOW === 'SIGKILL') process.kill(process.pid, 'SIGKILL');
    if (KILL_HOW === 'exit') process.exit(9);
    if (KILL_HOW === 'stdout') { process.stdout.end(); process.stdout.destroy(); }
    if (KILL_HOW === 'half') { process.stdout.write('{"type":"assis'); process.stdout.end(() => process.exit(0)); }
    if (KILL_HOW === 'stdin') process.stdin.destroy();
  };
  setTimeout(() => process.exit(0), 20000).unref();
  return {
    initialize: (request) => { breakOff(); answer(request); breakOff(); },
    user: () => { for (let n = 0; n < 4; n += 1) { breakOff(); out({ type: 'assistant', n }); }
      ask('q', { subtype: 'can_use_tool', tool_name: 'T', input: {}, tool_use_id: 't' }); breakOff(); },
    control_response: () => { breakOff(); result(); breakOff(); },
  };`;

const WAYS = ['SIGKILL', 'exit', 'stdout', 'half', 'stdin', 'leave', 'abort', 'close'] as const;

/** What may come of each way. */
function outcomes(way: (typeof WAYS)[number], isLast: boolean): (string | undefined)[] {
  switch (way) {
    case 'SIGKILL':
    case 'exit':
      return ['PROCESS_FAILED'];
    case 'half':
      return ['JSON_DECODE'];
    case 'stdout':
      // It leaves by itself when its input ends, or dies of writing to nowhere before.
      return [undefined, 'PROCESS_FAILED'];
    case 'abort':
      // After the last message it may be over already.
      return isLast ? ['ABORTED', undefined] : ['ABORTED'];
    default:
      return [undefined];
  }
}

async function* oneThenSilence(until: AbortSignal) {
  yield prompt('x');
  await new Promise((resolve) => until.addEventListener('abort', resolve));
}

describe('killing', () => {
  it(`[SD36] an agent or a pipe at any point leaves no process and the right error (seed ${SEED})`, {
    timeout: 30_000 + POINTS * 10_000,
  }, async () => {
    const strays: unknown[] = [];
    const onStray = (reason: unknown): void => void strays.push(reason);
    process.on('unhandledRejection', onStray);
    onTestFinished(() => void process.off('unhandledRejection', onStray));
    const random = new SeededRandom(SEED);
    for (let point = 0; point < POINTS; point += 1) {
      const way = WAYS[point % WAYS.length] ?? 'exit';
      const at = random.below(9);
      const agent = await fakeAgent(FRAGILE);
      const abortController = new AbortController();
      const options = agent.options({
        abortController,
        env: { KILL_AT: String(at), KILL_HOW: way },
        canUseTool: async () => ({ behavior: 'allow' }),
      });
      const over = new AbortController();
      const conversation = query({ prompt: random.chance(50) ? 'x' : oneThenSilence(over.signal), options });
      let seen = 0;
      let code: string | undefined;
      const steering = conversation.setModel('m').catch(() => {});
      try {
        for await (const message of conversation) {
          if (way === 'leave' && seen === at % 5) break;
          if (way === 'abort' && seen === at % 5) abortController.abort();
          if (way === 'close' && seen === at % 5) conversation.close();
          if (message.type === 'result') over.abort();
          seen += 1;
        }
      } catch (error) {
        code = Object(error).code ?? String(error);
      }
      over.abort();
      const label = `point ${point}: ${way} at ${at}`;
      expect(outcomes(way, at % 5 === 4), label).toContain(code);
      await steering;
      await conversation[Symbol.asyncDispose]();
      const { started } = await agent.start();
      await untilGone(started);
    }
    await new Promise(setImmediate);
    expect(strays).toEqual([]);
  });

  it(`[SD36] a host at any point leaves no process (seed ${SEED})`, {
    timeout: 30_000 + HOST_POINTS * 20_000,
  }, async () => {
    const random = new SeededRandom(SEED);
    for (let point = 0; point < HOST_POINTS; point += 1) {
      const agent = await fakeAgent(FRAGILE);
      const host = await startHost(
        agent.folder,
        `const options = { pathToClaudeCodeExecutable: ${JSON.stringify(agent.path)}, canUseTool: async () => ({ behavior: 'allow' }) };
         let seen = 0;
         for await (const _ of query({ prompt: 'x', options })) if (seen++ === ${random.below(5)}) process.kill(process.pid, 'SIGKILL');`,
      );
      await once(host, 'exit');
      await untilGone((await agent.start()).started);
    }
  });
});

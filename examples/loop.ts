// The same task for a fresh agent each time, until a command says that it is done; no hub is needed.
// Run it: npx tsx examples/loop.ts
import { loop } from 'signalbox';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'loop',
  turns: [
    { when: { tool_result: {} }, say: ['One sleeper is laid.'] },
    { when: { user: 'sleeper' }, say: [{ tool: 'Bash', input: { command: 'echo = >> track' } }] },
  ],
});
const run = loop({
  prompt: 'Lay one more sleeper.',
  untilCommand: 'test "$(wc -l < track)" -ge 3',
  maxIterations: 5,
  options: { ...stage.options, allowedTools: ['Bash'] },
});

for await (const news of run) {
  if (news.type !== 'over') continue;
  const { number, text, check } = news.iteration;
  console.log(`${number}: ${text} The condition is ${check}.`);
}
const { end, iterations } = await run.finish();
console.log(`${end} after ${iterations.length} iterations`);

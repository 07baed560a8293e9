// Works through a list of tasks until the money is spent.
// Run it: npx tsx examples/budget-guard.ts
import { Client } from 'signalbox';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'budget-guard',
  turns: [{ say: ['Done: {{lastUserText}}'], usage: { input_tokens: 20_000, output_tokens: 2_000 } }],
});

const TASKS = ['sort the tickets', 'count the trains', 'paint the signals', 'sweep the platform'];
const BUDGET_USD = 0.2;

await using client = new Client({ ...stage.options, model: 'claude-sonnet-4-5', maxBudgetUsd: BUDGET_USD });
await client.connect();

let spentUsd = 0;
for (const [at, task] of TASKS.entries()) {
  if (spentUsd >= BUDGET_USD * 0.9) {
    console.log(`Stopped before "${task}": ${TASKS.length - at} tasks left, and no money for them.`);
    break;
  }
  await client.send(task);
  for await (const message of client.receiveResponse()) {
    if (message.type !== 'result') continue;
    // The agent counts for the whole session.
    spentUsd = message.total_cost_usd;
    console.log(
      `${message.subtype === 'success' ? message.result : message.subtype} ($${spentUsd.toFixed(2)})`,
    );
  }
}

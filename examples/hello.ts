// Asks an agent one question and prints what it says.
// Run it: npx tsx examples/hello.ts
import { collectText, query } from 'signalbox';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'hello',
  turns: [{ say: ['Hello! I am an agent, and this is all I was asked for.'] }],
});

console.log(await collectText(query({ prompt: 'Say hello.', options: stage.options })));

// Prints an answer while it is being written, then what it cost.
// Run it: npx tsx examples/streaming.ts
import { query } from 'signalbox';
import { openStage } from './stage.ts';

await using stage = await openStage({
  name: 'streaming',
  token_delay_ms: 20,
  turns: [{ say: ['One train leaves at nine, one at ten, and the last one when the signals change.'] }],
});

const messages = query({
  prompt: 'When do the trains leave?',
  options: { ...stage.options, includePartialMessages: true },
});

for await (const message of messages) {
  if (message.type === 'stream_event') {
    const { event } = message;
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
      process.stdout.write(event.delta.text);
  } else if (message.type === 'result') {
    console.log(`\n(${message.usage.output_tokens} tokens, $${message.total_cost_usd.toFixed(4)})`);
  }
}

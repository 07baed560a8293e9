import type Anthropic from '@anthropic-ai/sdk';
import { LineDecoder, messageOf, type WireLine } from '@signalbox/protocol';
import { ModelError } from './model-error.ts';

type ReplyEvent = Anthropic.Beta.BetaRawMessageStreamEvent;

/** What the API sends beside a reply. */
type SideEvent = { type: 'ping' } | { type: 'error' };

/**
 * The events of a reply. Each is one `data:` line of JSON that names its own type, so that the stream's other lines are
 * not needed. Throws {@link ModelError} when the API reports an error or breaks off, and `SyntaxError` for what is not JSON.
 */
export async function* replyEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ReplyEvent> {
  const lines: WireLine[] = [];
  const decoder = new LineDecoder({ onLine: (line) => lines.push(line) });
  for await (const chunk of whole(body)) {
    decoder.push(chunk);
    for (const line of lines.splice(0)) {
      const text = line.text();
      if (!text.startsWith('data:')) continue;
      const event: ReplyEvent | SideEvent = JSON.parse(text.slice('data:'.length));
      if (event.type === 'error') throw new ModelError(`API Error: ${JSON.stringify(event)}`, 'unknown');
      if (event.type !== 'ping') yield event;
    }
  }
}

async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new ModelError(
      `API Error: The connection broke in the middle of a reply: ${messageOf(error)}`,
      'unknown',
      {
        cause: error,
      },
    );
  }
}

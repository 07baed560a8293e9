import { LIMITS } from '@signalbox/protocol';
import { McpLimitError } from '../mcp-errors.ts';
import { LevelCounter } from './level-counter.ts';

/**
 * The response, with a body that fails once a message in it is longer than `maxBytes` or too deep. `onBroken` hears of that, and of
 * a connection that breaks: the library would go on waiting for the rest.
 */
export function watchedBody(
  response: Response,
  onBroken: (error: unknown) => void,
  maxBytes = LIMITS.lineBytes.most,
): Response {
  const { body, status, statusText, headers } = response;
  const isRedirect = status >= 300 && status < 400;
  if (!body || isRedirect) return response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    const levels = new LevelCounter();
    try {
      for await (const chunk of body) {
        bytes += chunk.length;
        // A stream of events may go on for ever; each of them ends with an empty line.
        if (isStream && endsEvent(chunk)) bytes = 0;
        if (levels.deepestIn(chunk, isStream) > LIMITS.lineDepth.most)
          throw new McpLimitError('it sent a message that nests too deep', `${LIMITS.lineDepth.most} levels`);
        if (bytes > maxBytes)
          throw new McpLimitError('it sent a message that is too long', `${maxBytes} bytes`);
        yield chunk;
      }
    } catch (error) {
      onBroken(error);
      throw error;
    }
  };
  return new Response(ReadableStream.from(watched()), { status, statusText, headers });
}

function endsEvent(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return bytes.includes('\n\n') || bytes.includes('\r\n\r\n');
}

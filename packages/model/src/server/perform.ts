import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../api/api-error.ts';
import { eventFrame } from '../api/events.ts';
import type { Performance, StreamFault } from '../scenario/compose.ts';

/** Frames are written together up to this size, so that a reply without pauses costs few system calls. */
const WRITE_CHUNK_CHARS = 16 * 1024;
const BROKEN_FRAME =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"ty\n\n';
const BROKEN_JSON = '{"id":"msg_broken","type":"message","content":[{"ty';

/** How an answer ended: in full, or broken off on purpose. */
export type Ending = 'answered' | 'broken';

/** How to speak, and what ends the waiting: `signal` fires when the client has gone. */
export interface Delivery {
  readonly tokenDelayMs: number;
  readonly signal: AbortSignal;
}

async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms === undefined) await once(signal, 'abort');
  else await sleep(ms, undefined, { signal, ref: false });
  signal.throwIfAborted();
}

async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (text && !response.write(text)) await once(response, 'drain', { signal });
}

/** Streams a reply as server-sent events, faults included. */
export async function performStream(
  response: ServerResponse,
  { cues }: Performance,
  { tokenDelayMs, signal }: Delivery,
): Promise<Ending> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
  let pending = '';
  let ending: Ending = 'answered';
  const flush = async () => {
    const text = pending;
    pending = '';
    await write(response, text, signal);
  };
  for (const cue of cues) {
    if (cue.do === 'send') {
      pending += eventFrame(cue.event);
      const paced = tokenDelayMs > 0 && cue.event.type === 'content_block_delta';
      if (paced || pending.length > WRITE_CHUNK_CHARS) await flush();
      if (paced) await pause(tokenDelayMs, signal);
      continue;
    }
    if (cue.do === 'wait') {
      await flush();
      await pause(cue.ms, signal);
      continue;
    }
    const { fault } = cue;
    switch (fault.kind) {
      case 'stall':
        await flush();
        await pause(fault.ms, signal);
        break;
      case 'malformed':
        pending += BROKEN_FRAME;
        ending = 'broken';
        break;
      case 'error':
        pending += eventFrame({ type: 'error', error: { type: fault.error_type, message: fault.message } });
        response.end(pending);
        return 'broken';
      case 'cut':
        await cut(response, pending);
        return 'broken';
    }
  }
  response.end(pending);
  return ending;
}

/** What was written before a cut still reaches the client; a bare `destroy` could lose it. */
async function cut(response: ServerResponse, text: string): Promise<void> {
  await new Promise<void>((resolve) => response.write(text || '\n', () => resolve()));
  response.destroy();
}

/** Sends a reply whole, after the time that streaming it would have taken. */
export async function performWhole(
  response: ServerResponse,
  { cues, message }: Performance,
  { tokenDelayMs, signal }: Delivery,
): Promise<Ending> {
  const deltas = cues.filter((cue) => cue.do === 'send' && cue.event.type === 'content_block_delta').length;
  if (tokenDelayMs > 0) await pause(deltas * tokenDelayMs, signal);
  for (const cue of cues) {
    if (cue.do === 'wait') await pause(cue.ms, signal);
    if (cue.do === 'fail' && (await failWhole(response, cue.fault, signal))) return 'broken';
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(message));
  return 'answered';
}

/** Plays a fault where there is no stream to break; false when the answer follows all the same. */
async function failWhole(
  response: ServerResponse,
  fault: StreamFault,
  signal: AbortSignal,
): Promise<boolean> {
  switch (fault.kind) {
    case 'stall':
      await pause(fault.ms, signal);
      return false;
    case 'malformed':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(BROKEN_JSON);
      return true;
    case 'error':
      throw new ApiError(fault.error_type === 'overloaded_error' ? 529 : 500, fault.message, {
        type: fault.error_type,
      });
    default:
      response.destroy();
      return true;
  }
}

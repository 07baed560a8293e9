// The thread that reads a transcript: the hub answers others meanwhile.

import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { TranscriptSince } from '@signalbox/hub';
import { parseEntry } from '@signalbox/protocol';
import type { FromTranscript, TranscriptTask } from './transcript-message.ts';
import { lineAt, type OutlinedMessage, openTranscript, outlineTranscript } from './transcript-outline.ts';

/** How much is told at a time: the hub makes it durable before it hears more. */
const SLICE_MESSAGES = 100;
const SLICE_BYTES = 1024 * 1024;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `StoredTranscripts` is on the other side
const { file, id, since } = workerData as TranscriptTask;

function say(message: FromTranscript, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** Those after the mark: by the last message before it, or by time where somebody went back beyond that. */
function messagesSince(
  messages: readonly OutlinedMessage[],
  { after, time }: TranscriptSince,
): readonly OutlinedMessage[] {
  const before = after === null ? -1 : messages.findIndex(({ uuid }) => uuid === after);
  if (after === null || before >= 0) return messages.slice(before + 1);
  return messages.filter((message) => message.time !== null && message.time >= time);
}

/** A message as the agent would have said it to its host. */
function lineOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  const entry = parseEntry(text);
  if (!entry) return undefined;
  const { type, uuid, message, timestamp, toolUseResult } = entry;
  const line = JSON.stringify({
    type,
    message,
    parent_tool_use_id: null,
    session_id: id,
    uuid,
    ...(toolUseResult === undefined ? {} : { tool_use_result: toolUseResult }),
    ...(timestamp === undefined ? {} : { timestamp }),
  });
  return new TextEncoder().encode(line);
}

async function tell(wanted: readonly OutlinedMessage[]): Promise<void> {
  const descriptor = openTranscript(file);
  let slice: { uuid: string; line: Uint8Array<ArrayBuffer> }[] = [];
  let bytes = 0;
  const pass = async (): Promise<void> => {
    say(
      { kind: 'slice', messages: slice },
      slice.map(({ line }) => line.buffer),
    );
    slice = [];
    bytes = 0;
    if (parentPort) await once(parentPort, 'message');
  };
  for (const { uuid, ...place } of wanted) {
    const line = lineOf(lineAt(descriptor, place));
    if (!line) continue;
    slice.push({ uuid, line });
    bytes += line.byteLength;
    if (slice.length === SLICE_MESSAGES || bytes >= SLICE_BYTES) await pass();
  }
  if (slice.length > 0) await pass();
  closeSync(descriptor);
}

async function look(): Promise<void> {
  const outline = outlineTranscript(file);
  if (outline) {
    const { messages, isTurnOver } = outline;
    const last = messages.at(-1)?.uuid;
    if (since) await tell(messagesSince(messages, since));
    say({ kind: 'facts', facts: last === undefined ? undefined : { last, isTurnOver } });
  } else say({ kind: 'too-long' });
  parentPort?.close();
}

void look();

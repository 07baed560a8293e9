import { isUtf8 } from 'node:buffer';
import type { WireLine } from '@signalbox/protocol';
import type { HubNote } from '@signalbox/protocol/hub';
import type { Entry } from '../store/record.ts';

const END = Buffer.from('}\n');

/** The line in which viewers get `message`. */
export function encodeNote(message: HubNote): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\n`);
}

/** The lines in which viewers get entries of the record; what the agent wrote is in them as it was written. */
export function encodeEntries(session: string, epoch: string, entries: readonly Entry[]): Buffer {
  return Buffer.concat(entries.flatMap((entry) => [...entryParts(session, epoch, entry), END]));
}

/** The same as one JSON list. */
export function encodeEntryList(session: string, epoch: string, entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap((entry, index) => [
    Buffer.from(index === 0 ? '' : '},'),
    ...entryParts(session, epoch, entry),
  ]);
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(entries.length === 0 ? ']' : '}]')]);
}

/** All but the last brace. */
function entryParts(session: string, epoch: string, entry: Entry): Uint8Array[] {
  const { seq } = entry;
  const place = `{"type":"sdk-message","session":${JSON.stringify(session)},"epoch":"${epoch}","seq":${seq}`;
  if (entry.kind === 'damaged') return [Buffer.from(`${place},"damaged":true`)];
  const origin = `,"time":${entry.time},"author":${JSON.stringify(entry.author)}`;
  return [Buffer.from(place + origin), ...content(entry.line)];
}

/** The line in which viewers get a part of a reply that is being written. */
export function encodePreviews(session: string, lines: readonly WireLine[]): Buffer {
  const start = Buffer.from(`{"type":"preview","session":${JSON.stringify(session)}`);
  return Buffer.concat(lines.flatMap((line) => [start, ...content(line), END]));
}

/** A line that is no JSON value would break out of the message around it: it travels as text. */
function content(line: WireLine): Uint8Array[] {
  const bytes = line.bytes();
  return isUtf8(bytes) && isJson(line)
    ? [Buffer.from(',"message":'), bytes]
    : [Buffer.from(`,"raw":${JSON.stringify(line.text())}`)];
}

function isJson(line: WireLine): boolean {
  try {
    line.json();
    return true;
  } catch {
    return false;
  }
}

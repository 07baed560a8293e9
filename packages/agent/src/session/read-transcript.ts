import { createReadStream } from 'node:fs';
import { LineDecoder, LineTooLongError, parseEntry, type TranscriptEntry } from '@signalbox/protocol';

/** Tell `onEntry` every entry of a transcript, in order. Returns how many lines were no entries: torn, damaged or too long. */
export async function readTranscript(
  file: string,
  onEntry: (entry: TranscriptEntry) => void,
): Promise<number> {
  let damaged = 0;
  const lines = new LineDecoder({
    onLine: (line) => {
      const entry = parseEntry(line.text());
      if (entry) onEntry(entry);
      else damaged += 1;
    },
  });
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    try {
      lines.push(chunk);
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      damaged += 1;
    }
  }
  lines.end();
  return damaged;
}

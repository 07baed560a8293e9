import type { TranscriptOnDisk, TranscriptSince } from '@signalbox/hub';

/** What the thread that reads a transcript is there for. */
export interface TranscriptTask {
  file: string;
  /** The conversation. */
  id: string;
  /** Which messages are wanted; none where it is left out. */
  since?: TranscriptSince;
}

/** What that thread says. The next slice comes when it hears anything. */
export type FromTranscript =
  | { kind: 'too-long' }
  | { kind: 'facts'; facts: TranscriptOnDisk | undefined }
  | { kind: 'slice'; messages: readonly { uuid: string; line: Uint8Array }[] };

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMessage, objectAt, type TranscriptEntry, textAt } from '@signalbox/protocol';
import { readTranscript } from './read-transcript.ts';

/** A reply that a transcript has: which model gave it, and what the API counted. */
export interface RecordedReply {
  readonly id: string;
  readonly model: string;
  readonly usage: unknown;
}

/** Takes the replies out of the entries of a transcript, each once: every block of a reply has an entry of its own. */
export class ReplyCollector {
  readonly #byId = new Map<string, RecordedReply>();

  get replies(): RecordedReply[] {
    return [...this.#byId.values()];
  }

  add(entry: TranscriptEntry): void {
    if (entry.type !== 'assistant' || !isMessage(entry)) return;
    const { message } = entry;
    const [id, model] = [textAt(message, 'id'), textAt(message, 'model')];
    // One that was broken off has no end, and what it came to is not known; one in the model's place cost nothing.
    if (id === '' || model.startsWith('<') || textAt(message, 'stop_reason') === '') return;
    this.#byId.set(id, { id, model, usage: objectAt(message, 'usage') });
  }
}

/** The replies to the sub-agents of a session, whose transcripts are beside its own. */
export async function subAgentReplies(file: string): Promise<RecordedReply[]> {
  const folder = join(file.replace(/\.jsonl$/, ''), 'subagents');
  const names = await readdir(folder).catch(() => []);
  const collector = new ReplyCollector();
  // What cannot be read is not counted.
  for (const name of names.filter((entry) => entry.endsWith('.jsonl')))
    await readTranscript(join(folder, name), (said) => collector.add(said)).catch(() => {});
  return collector.replies;
}

import { headOf } from '../base/cut-text.ts';
import type { SessionLog } from '../session/transcript.ts';

const MAX_CHARS = 200;

/** What a person said last. Lists name a session by it, and find it at the end of its transcript. */
export class LastPrompt {
  #text = '';

  set(said: string): void {
    const text = said.replaceAll('\n', ' ').trim();
    this.#text = text.length > MAX_CHARS ? `${headOf(text, MAX_CHARS)}…` : text;
  }

  noteIn(log: SessionLog, sessionId: string): void {
    if (this.#text === '') return;
    log.addNote({ type: 'last-prompt', lastPrompt: this.#text, leafUuid: log.lastUuid, sessionId });
  }
}

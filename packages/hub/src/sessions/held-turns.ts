import { type JsonObject, WireLine } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';
import type { EndingNotices } from './ending-notices.ts';
import type { Recorder } from './recorder.ts';
import type { SessionAgent } from './session-agent.ts';
import type { SessionSpend } from './session-spend.ts';

const HUB: Author = { by: 'hub' };

/** What {@link HeldTurns} need of their session. */
export interface HeldTurnsParts {
  spend: SessionSpend;
  agent: Pick<SessionAgent, 'state' | 'request'>;
  recorder: Pick<Recorder, 'said'>;
  endings: Pick<EndingNotices, 'budget'>;
  isTurnRunning: () => boolean;
  /** Prompts that waited may go on. */
  onRoom: () => void;
  watch: (work: Promise<unknown>) => void;
}

/** Stops turns that have used up a budget, keeps prompts back until there is room again, and says so. */
export class HeldTurns {
  readonly #parts: HeldTurnsParts;
  #isStopping = false;

  constructor(parts: HeldTurnsParts) {
    this.#parts = parts;
  }

  /** Budgets are near or used up: the record says so, in the commit of the line that was just given to it, and so is whoever wants to be called. */
  note(notes: readonly JsonObject[]): void {
    const { recorder, endings, watch } = this.#parts;
    for (const note of notes) watch(recorder.said(HUB, lineOf(note), { change: endings.budget(note) }));
  }

  /** What has cost something is in the record. */
  spent(): void {
    this.#parts.spend.refresh();
    this.stop();
  }

  /** A turn that has used up a budget goes no further than its reply. */
  stop(): void {
    const { spend, agent, isTurnRunning, watch } = this.#parts;
    if (!spend.isHeld || this.#isStopping || !isTurnRunning() || agent.state !== 'ready') return;
    this.#isStopping = true;
    const stopped = agent.request({ subtype: 'interrupt' }, {});
    watch(stopped.finally(() => (this.#isStopping = false)));
  }

  /** Budgets, or what is spent of them, are others than before. */
  budgetChanged(): void {
    this.#parts.spend.refresh();
    this.#parts.onRoom();
  }

  /** One more turn, whatever was spent. Settles when that is durable. */
  async allowTurn(author: Author): Promise<void> {
    const { recorder, onRoom } = this.#parts;
    const { spend, notes } = this.#parts.spend.allowTurn();
    await Promise.all(notes.map((note) => recorder.said(author, lineOf(note), { spend })));
    onRoom();
  }
}

function lineOf(note: JsonObject): WireLine {
  return WireLine.of(JSON.stringify({ type: 'hub', ...note }));
}

import { type AgentMessage, type ResultMessage, turnOutcome } from '@signalbox/protocol';
import { type AskedCall, requestPreview } from './asks/request-preview.ts';
import { counted } from './cards/result-lines.ts';
import { Conversation } from './session/conversation.ts';
import type { Tone } from './session/entry.ts';
import { Painter } from './terminal/painter.ts';
import type { Picture } from './terminal/screen.ts';
import { colored, dim, type Line } from './text/line.ts';
import { lineWidth } from './text/wrap-line.ts';
import { SPINNER_MS, turnLines } from './view/live-lines.ts';
import { costText, durationText } from './view/status-line.ts';
import { Transcript } from './view/transcript.ts';

/** A turn in a terminal, as the chat shows it, for somebody who watches and does not type. */
export class TurnView {
  readonly #cwd: string;
  readonly #isScripted: boolean;
  readonly #conversation: Conversation;
  readonly #transcript: Transcript;
  readonly #painter: Painter;
  readonly #ticking: NodeJS.Timeout;
  readonly #began = Date.now();
  #state: 'drawing' | 'handed over' | 'closing' = 'drawing';

  /** Of a script no costs are shown. */
  constructor(
    stdout: NodeJS.WriteStream,
    cwd: string,
    { isScripted = false }: { isScripted?: boolean } = {},
  ) {
    this.#cwd = cwd;
    this.#isScripted = isScripted;
    this.#transcript = new Transcript(cwd);
    this.#conversation = new Conversation((entry) => {
      if (entry.kind !== 'stopped') this.#transcript.add(entry);
    });
    this.#painter = new Painter(stdout, (columns, rows) => this.#picture(columns, rows));
    this.#ticking = setInterval(() => this.#redraw(), SPINNER_MS);
    this.#ticking.unref();
  }

  /** The agent said something. */
  take(message: AgentMessage): void {
    this.#conversation.take(message, Date.now());
    if (message.type === 'result') {
      const end = endLine(message, this.#isScripted);
      this.#transcript.add({ kind: 'page', lines: () => [end] });
    }
    this.#redraw();
  }

  /** A line beside the conversation. */
  note(text: string, tone: Tone = 'quiet'): void {
    this.#conversation.note(text, tone);
    this.#redraw();
  }

  /** All that a call would do, for somebody who is asked about it. */
  preview(call: AskedCall): void {
    this.#transcript.add({ kind: 'page', lines: (width) => requestPreview(call, width, this.#cwd) });
  }

  /** Let somebody else have the terminal until they are done; what comes meanwhile is shown then. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.#state = 'handed over';
    this.#painter.handOver();
    try {
      return await work();
    } finally {
      this.#state = 'drawing';
      this.#redraw();
    }
  }

  close(): void {
    clearInterval(this.#ticking);
    this.#conversation.cutOff();
    this.#state = 'closing';
    this.#painter.close();
  }

  #redraw(): void {
    if (this.#state === 'drawing') this.#painter.redraw();
  }

  #picture(columns: number, rows: number): Picture {
    const done = this.#transcript.take(columns);
    if (this.#state !== 'drawing') return { done, live: [], cursor: { x: 0, y: 0 } };
    const since = this.#conversation.turnStart || this.#began;
    const live = turnLines(this.#conversation, {
      width: columns,
      rows,
      cwd: this.#cwd,
      now: Date.now(),
      since,
    });
    return { done, live, cursor: { x: lineWidth(live.at(-1) ?? []), y: live.length - 1 } };
  }
}

function endLine(result: ResultMessage, isScripted: boolean): Line {
  const { num_turns: turns, duration_ms: ms, total_cost_usd: cost } = result;
  const facts = [
    typeof turns === 'number' && counted(turns, 'turn'),
    typeof ms === 'number' && durationText(ms),
    isScripted ? 'scripted' : typeof cost === 'number' && costText(cost),
  ].filter((fact) => typeof fact === 'string');
  const rest = dim(facts.join(' · '));
  switch (turnOutcome(result).how) {
    case 'well':
      return [colored('✓ ', 'green'), rest];
    case 'interrupted':
      return [colored('■ interrupted ', 'yellow'), rest];
    case 'failed':
      return [colored('✗ failed ', 'red'), rest];
  }
}

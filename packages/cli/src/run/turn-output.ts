import type { TurnView } from '@signalbox/chat';
import {
  agentWords,
  isJsonObject,
  parseAgentMessage,
  suggestionsIn,
  suggestionWords,
  textAt,
} from '@signalbox/protocol';
import { formatMessage, type SDKMessage } from 'signalbox';
import type { PermissionRequest } from 'signalbox/hub';

/** Tools whose question shows all of their input. */
const HAS_ITS_OWN = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** Where a turn is shown. */
export interface TurnOutput {
  /** A part of a reply that is being written. */
  preview(message: unknown): void;
  show(message: SDKMessage): void;
  /** A line beside the conversation. */
  note(text: string): void;
  /** Have the terminal for a question about this request. */
  asking<T>(permission: PermissionRequest, work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** For programs that read a pipe: the conversation as it was said, and beside it how it ended. */
export class PipedTurn implements TurnOutput {
  readonly #out: NodeJS.WritableStream;
  readonly #notes: NodeJS.WritableStream;
  readonly #isScripted: boolean;

  constructor(out: NodeJS.WritableStream, notes: NodeJS.WritableStream, { isScripted = false } = {}) {
    this.#out = out;
    this.#notes = notes;
    this.#isScripted = isScripted;
  }

  /** What reads a pipe gets whole texts only. */
  preview(): void {}

  show(message: SDKMessage): void {
    const text = message.type === 'system' ? '' : formatMessage(message);
    if (text === '') return;
    if (message.type !== 'result') this.#out.write(`${text}\n`);
    // The sum is the last that is said of a turn.
    else this.#notes.write(`${this.#isScripted ? text.replace(/\$[\d.]+$/, 'scripted') : text}\n`);
  }

  note(text: string): void {
    this.#notes.write(`signalbox run: ${text}\n`);
  }

  asking<T>(_permission: PermissionRequest, work: () => Promise<T>): Promise<T> {
    return work();
  }

  close(): void {}
}

/** For programs that want all of it: the agent's messages, one a line. */
export class JsonTurn extends PipedTurn {
  override show(message: SDKMessage): void {
    process.stdout.write(`${JSON.stringify(message)}\n`);
  }
}

/** For a person at a terminal: as the chat shows it. */
export class TerminalTurn implements TurnOutput {
  readonly #view: TurnView;

  constructor(view: TurnView) {
    this.#view = view;
  }

  preview(message: unknown): void {
    if (isJsonObject(message) && message.type === 'stream_event') this.#view.take(parseAgentMessage(message));
  }

  show(message: SDKMessage): void {
    this.#view.take(parseAgentMessage(message));
  }

  note(text: string): void {
    this.#view.note(text);
  }

  asking<T>({ request }: PermissionRequest, work: () => Promise<T>): Promise<T> {
    const { subtype, tool_name: tool, input } = request;
    if (
      subtype === 'can_use_tool' &&
      typeof tool === 'string' &&
      isJsonObject(input) &&
      !HAS_ITS_OWN.has(tool)
    ) {
      this.#view.preview({
        tool_name: tool,
        input,
        description: agentWords(request),
        blocked_path: textAt(request, 'blocked_path'),
        decision_reason: textAt(request, 'decision_reason'),
        agent_id: textAt(request, 'agent_id'),
      });
      const kept = suggestionsIn(request);
      if (kept.length > 0) this.#view.note(`a: yes, and ${suggestionWords(kept)}`);
    }
    return this.#view.aside(work);
  }

  close(): void {
    this.#view.close();
  }
}

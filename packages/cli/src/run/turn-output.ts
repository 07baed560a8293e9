import type { TurnView } from '@signalbox/chat';
import {
  type AgentMessage,
  agentWords,
  isJsonObject,
  messageOf,
  parseAgentMessage,
  suggestionsIn,
  suggestionWords,
  textAt,
} from '@signalbox/protocol';
import { formatMessage, type SDKMessage } from 'signalbox';
import type { PermissionRequest } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';

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

/** A message, unless it lacks what the protocol has it say: an agent that says so must not end whoever watches it. */
function readable(
  message: object,
  onProblem: (problem: string) => void = () => {},
): AgentMessage | undefined {
  try {
    return parseAgentMessage(message);
  } catch (error) {
    onProblem(`left out what the agent says: ${messageOf(error)}`);
    return undefined;
  }
}

/** For programs that read a pipe: the conversation as it was said, and beside it how it ended. */
export class PipedTurn implements TurnOutput {
  readonly #out: NodeJS.WritableStream;
  readonly #notes: NodeJS.WritableStream;
  readonly #isScripted: boolean;
  readonly #command: string;

  constructor(
    out: NodeJS.WritableStream,
    notes: NodeJS.WritableStream,
    { isScripted = false, command = 'run' } = {},
  ) {
    this.#command = command;
    this.#out = out;
    this.#notes = notes;
    this.#isScripted = isScripted;
  }

  /** What reads a pipe gets whole texts only. */
  preview(): void {}

  show(message: SDKMessage): void {
    const said = readable(message, (problem) => this.note(problem));
    const text = !said || message.type === 'system' ? '' : formatMessage(message);
    if (text === '') return;
    if (message.type !== 'result') this.#out.write(`${text}\n`);
    // The sum is the last that is said of a turn.
    else this.#notes.write(`${this.#isScripted ? text.replace(/\$[\d.]+$/, 'scripted') : text}\n`);
  }

  note(text: string): void {
    this.#notes.write(`signalbox ${this.#command}: ${harmless(text)}\n`);
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
    const part = isJsonObject(message) && message.type === 'stream_event' ? readable(message) : undefined;
    if (part) this.#view.take(part);
  }

  show(message: SDKMessage): void {
    const said = readable(message, (problem) => this.note(problem));
    if (said) this.#view.take(said);
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

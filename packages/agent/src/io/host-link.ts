import {
  type Channel,
  ControlPeer,
  type ControlRequestBody,
  type JsonObject,
  messageOf,
  type OutboundAgentMessage,
  objectAt,
  type PermissionResult,
  type PromptMessage,
  parseControlPayload,
  parseHostMessage,
  type RequestOptions,
  textAt,
  type WireLine,
} from '@signalbox/protocol';
import { HostInputError } from '../base/agent-errors.ts';
import type { Host, LateAnswer, Output, PermissionQuestion } from '../base/host.ts';

/** The host's side of the conversation: its prompts, its control requests, its answers. */
export class HostLink implements Host {
  readonly answers = true;
  readonly peer: ControlPeer;
  readonly #output: Output;
  readonly #onPrompt: (prompt: PromptMessage) => void;
  readonly #onEnvironment: (variables: Record<string, string>) => void;
  readonly #onLateAnswer: (answer: LateAnswer) => void;

  constructor(
    channel: Channel,
    output: Output,
    listener: {
      onPrompt: (prompt: PromptMessage) => void;
      onEnvironment: (variables: Record<string, string>) => void;
      onLateAnswer: (answer: LateAnswer) => void;
    },
  ) {
    this.#output = output;
    this.#onPrompt = listener.onPrompt;
    this.#onEnvironment = listener.onEnvironment;
    this.#onLateAnswer = listener.onLateAnswer;
    this.peer = new ControlPeer(channel, {
      onMessage: (line) => this.#message(line),
      onLateResponse: (message) => this.#lateResponse(message),
      // JSON that says nothing we know is passed over; what is not JSON is a host that lost its place.
      onInvalidLine: (line) => void jsonOf(line),
    });
  }

  get lost(): AbortSignal {
    return this.#output.lost;
  }

  write(message: OutboundAgentMessage): Promise<void> {
    return this.#output.write(message);
  }

  finish(): Promise<void> {
    return this.#output.finish();
  }

  request(body: ControlRequestBody, options?: RequestOptions): Promise<JsonObject> {
    return this.peer.request(body, options);
  }

  async ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionResult> {
    const answer = await this.request({ subtype: 'can_use_tool', ...question }, { signal });
    return parseControlPayload('can_use_tool', answer);
  }

  /** Only a permission says by itself which call it is for; nobody waits for any other answer. */
  #lateResponse(message: JsonObject): void {
    const { subtype, response } = objectAt(message, 'response');
    const toolUseId = textAt(response, 'toolUseID');
    if (subtype !== 'success' || toolUseId === '') return;
    try {
      const result = parseControlPayload('can_use_tool', Object(response));
      if (result.behavior === 'allow' || result.behavior === 'deny')
        this.#onLateAnswer({ type: 'late_answer', toolUseId, result });
    } catch {
      // Whatever it answers, it is no permission.
    }
  }

  #message(line: WireLine): void {
    const message = parse(jsonOf(line));
    if (message.type === 'user') this.#onPrompt(message);
    else if (message.type === 'update_environment_variables') this.#onEnvironment(message.variables);
    // What a newer host says beside prompts is not an error: it goes on without us.
  }
}

function jsonOf(line: WireLine): unknown {
  try {
    return line.json();
  } catch (error) {
    throw new HostInputError(
      `Error parsing streaming input line: ${excerpt(line)}: ${messageOf(error)}`,
      error,
    );
  }
}

function parse(value: unknown): ReturnType<typeof parseHostMessage> {
  try {
    return parseHostMessage(value);
  } catch (error) {
    throw new HostInputError(`Error: ${messageOf(error)}`, error);
  }
}

function excerpt(line: WireLine): string {
  const text = line.text();
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

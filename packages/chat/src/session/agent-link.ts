import {
  type AgentMessage,
  type CanUseToolRequest,
  ControlPeer,
  ControlRefusedError,
  encodeHostMessage,
  type InitializeResponse,
  isJsonObject,
  type JsonObject,
  listAt,
  messageOf,
  type OutboundPermissionResult,
  type PermissionMode,
  parseAgentMessage,
  parseControlPayload,
  textAt,
  type WireLine,
} from '@signalbox/protocol';
import type { Transport } from '@signalbox/transport';
import type { Choice } from '../input/completion.ts';
import type { StatusText, TerminalSize } from './custom-status.ts';

/** What an agent that is busy may take to answer a question about itself. */
const ANSWER_MS = 60_000;

/** What an agent tells and asks. */
export interface AgentListener {
  onMessage(message: AgentMessage): void;
  /** A line that is no message; the conversation goes on without it. */
  onNonsense(reason: string): void;
  /** The signal fires when the agent takes the question back. */
  onAsk(request: CanUseToolRequest, signal: AbortSignal): Promise<OutboundPermissionResult>;
}

/** The wire to an agent, in the words of a chat. */
export class AgentLink {
  readonly #transport: Transport;
  readonly #peer: ControlPeer;
  readonly #listener: AgentListener;
  #knowsFiles = true;

  constructor(transport: Transport, listener: AgentListener) {
    this.#transport = transport;
    this.#listener = listener;
    this.#peer = new ControlPeer(transport, {
      onMessage: (line) => this.#take(line),
      defaultTimeoutMs: ANSWER_MS,
    });
    this.#peer.handle('can_use_tool', async (request, { requestId, signal }) =>
      listener.onAsk(toolRequest({ type: 'control_request', request_id: requestId, request }), signal),
    );
  }

  /** Read until the agent ends. */
  run(): Promise<void> {
    return this.#peer.run();
  }

  /** What the agent offers. An agent that was started before tells which questions of its are still open. */
  async initialize(): Promise<InitializeResponse> {
    try {
      const answer = await this.#peer.request({ subtype: 'initialize' });
      return parseControlPayload('initialize', answer);
    } catch (error) {
      if (!(error instanceof ControlRefusedError)) throw error;
      for (const open of listAt(error.response, 'pending_permission_requests')) this.#takeUp(open);
      return {};
    }
  }

  prompt(text: string, uuid: string): Promise<void> {
    return this.#transport.send(
      encodeHostMessage({
        type: 'user',
        message: { role: 'user', content: text },
        parent_tool_use_id: null,
        session_id: '',
        uuid,
      }),
    );
  }

  async interrupt(): Promise<void> {
    await this.#peer.request({ subtype: 'interrupt' });
  }

  async setMode(mode: PermissionMode): Promise<void> {
    await this.#peer.request({ subtype: 'set_permission_mode', mode });
  }

  async setModel(model: string): Promise<void> {
    await this.#peer.request({ subtype: 'set_model', model });
  }

  /** How full the context is, in percent; undefined when the agent does not tell. */
  async contextPercent(): Promise<number | undefined> {
    try {
      const answer = await this.#peer.request({ subtype: 'get_context_usage' });
      return parseControlPayload('get_context_usage', answer).percentage ?? undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * What the person's own status line says; undefined when a newer run has taken its place. Rejects where there is
   * none, and where the agent knows of no such thing.
   */
  async statusLine(size: TerminalSize, signal: AbortSignal): Promise<StatusText | undefined> {
    const request = { subtype: 'run_status_line', ...size };
    const answer = await this.#peer.request(request, { signal, timeoutMs: Number.POSITIVE_INFINITY });
    const { text, padding } = parseControlPayload('run_status_line', answer);
    return typeof text === 'string' ? { text, padding: padding ?? 0 } : undefined;
  }

  /** Files that fit what was typed; none from an agent that does not know how. */
  async files(query: string): Promise<Choice[]> {
    if (!this.#knowsFiles) return [];
    try {
      const answer = await this.#peer.request({ subtype: 'file_suggestions', query });
      const lists = Object.values(answer).filter((value) => Array.isArray(value));
      return (lists[0] ?? []).flatMap(fileChoice);
    } catch {
      this.#knowsFiles = false;
      return [];
    }
  }

  #take(line: WireLine): void {
    let message: AgentMessage;
    try {
      message = parseAgentMessage(line.json());
    } catch (error) {
      return this.#listener.onNonsense(messageOf(error));
    }
    return this.#listener.onMessage(message);
  }

  #takeUp(open: unknown): void {
    if (!isJsonObject(open)) return;
    const answered = this.#listener.onAsk(toolRequest(open), new AbortController().signal);
    const reply = (response: JsonObject): Promise<void> =>
      this.#peer.send({
        type: 'control_response',
        response: { subtype: 'success', request_id: open.request_id, response },
      });
    // An agent that is gone waits for no answer.
    answered.then(reply).catch(() => {});
  }
}

function toolRequest(message: JsonObject): CanUseToolRequest {
  const parsed = parseAgentMessage(message);
  if (parsed.type === 'control_request' && parsed.request.subtype === 'can_use_tool') return parsed.request;
  throw new TypeError('not a question about a tool');
}

function fileChoice(file: unknown): Choice[] {
  const text = typeof file === 'string' ? file : textAt(file, 'path') || textAt(file, 'displayText');
  return text === '' ? [] : [{ text, detail: textAt(file, 'description') }];
}

import { Conversation } from '../query/conversation.ts';
import { promptMessage } from '../query/prompt-message.ts';
import { CLIConnectionError } from '../sdk-errors.ts';
import type { SDKMessage, SDKResultMessage, SDKUserMessage } from '../types/messages.ts';
import type { Options } from '../types/options.ts';

/** What a session of the second interface is to be like. */
export type SDKSessionOptions = Pick<
  Options,
  | 'pathToClaudeCodeExecutable'
  | 'executable'
  | 'executableArgs'
  | 'env'
  | 'allowedTools'
  | 'disallowedTools'
  | 'canUseTool'
  | 'hooks'
  | 'permissionMode'
> & { model: string };

/** A conversation of the second interface, which the official package had for a while. `Client` is ours. */
export interface SDKSession extends AsyncDisposable {
  /** Throws before the first message of a new session. */
  readonly sessionId: string;
  send(message: string | SDKUserMessage): Promise<void>;
  /** What the agent says up to the end of the turn. */
  stream(): AsyncGenerator<SDKMessage, void>;
  close(): void;
}

/** Begin a session. */
export function unstable_v2_createSession(options: SDKSessionOptions): SDKSession {
  return new Session(options);
}

/** Go on with a session. */
export function unstable_v2_resumeSession(sessionId: string, options: SDKSessionOptions): SDKSession {
  return new Session(options, sessionId);
}

/** Send one prompt, and wait for the end of its turn. */
export async function unstable_v2_prompt(
  message: string,
  options: SDKSessionOptions,
): Promise<SDKResultMessage> {
  const session = new Session(options);
  try {
    await session.send(message);
    for await (const said of session.stream()) if (said.type === 'result') return said;
    throw new CLIConnectionError('The agent left before the end of the turn.');
  } finally {
    session.close();
  }
}

class Session implements SDKSession {
  readonly #conversation: Conversation;
  #sessionId: string | undefined;
  #state: 'open' | 'closed' = 'open';

  constructor(options: SDKSessionOptions, resume?: string) {
    this.#sessionId = resume;
    this.#conversation = new Conversation({
      permissionMode: 'default',
      ...options,
      settingSources: [],
      systemPrompt: { type: 'preset', preset: 'claude_code' },
      ...(resume === undefined ? {} : { resume }),
    });
  }

  get sessionId(): string {
    if (this.#sessionId !== undefined) return this.#sessionId;
    throw new CLIConnectionError('The session has no id yet: the first message of the agent brings it.');
  }

  async send(message: string | SDKUserMessage): Promise<void> {
    if (this.#state === 'closed') throw new CLIConnectionError('The session is closed.');
    const said = typeof message === 'string' ? promptMessage([{ type: 'text', text: message }]) : message;
    await this.#conversation.prompt(said);
  }

  async *stream(): AsyncGenerator<SDKMessage, void> {
    const { unread } = this.#conversation;
    for (let next = await unread.next(); !next.done; next = await unread.next()) {
      const { value: message } = next;
      if (message.session_id) this.#sessionId ??= message.session_id;
      yield message;
      if (message.type === 'result') return;
    }
  }

  close(): void {
    this.#state = 'closed';
    this.#conversation.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#conversation.ended;
  }
}

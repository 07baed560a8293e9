import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { type LoopTurn, loopTurn } from '@signalbox/protocol/loop';
import type { StartAgent } from '../process/agent-process.ts';
import { AgentQuery } from '../query/agent-query.ts';
import { Conversation } from '../query/conversation.ts';
import { promptMessage } from '../query/prompt-message.ts';
import type { SDKMessage } from '../types/messages.ts';
import type { Options } from '../types/options.ts';

/** How long an agent may take to end a turn that it was told to stop. */
const INTERRUPT_MS = 10_000;

/** The agent of an iteration, or of all: one turn after the other. */
export class TurnAgent {
  readonly #conversation: Conversation;
  readonly #query: AgentQuery;
  #result: JsonObject | undefined;

  constructor(options: Options, start: StartAgent | undefined) {
    // Aborting means to stop the loop, which ends the turn first.
    const { abortController: _, ...rest } = options;
    this.#conversation = new Conversation(rest, start);
    this.#query = new AgentQuery(this.#conversation);
  }

  /** What the agent says up to the end of the turn. Raises what ended the agent. */
  async *turn(prompt: string, stop: AbortSignal): AsyncGenerator<SDKMessage, void> {
    this.#result = undefined;
    if (stop.aborted) return;
    let patience: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      patience = setTimeout(() => this.#query.close(), INTERRUPT_MS);
      this.#query.interrupt().catch(() => this.#query.close());
    };
    stop.addEventListener('abort', interrupt, { once: true });
    try {
      await this.#conversation.prompt(promptMessage(prompt));
      for (let next = await this.#query.next(); !next.done; next = await this.#query.next()) {
        const { value: message } = next;
        if (message.type === 'result') this.#result = isJsonObject(message) ? message : undefined;
        yield message;
        if (message.type === 'result') return;
      }
    } finally {
      clearTimeout(patience);
      stop.removeEventListener('abort', interrupt);
    }
  }

  /** How the turn ended; `costBefore` is what the agent had cost before it. */
  outcome(costBefore: number, stop: AbortSignal): LoopTurn {
    if (this.#result) return loopTurn(this.#result, costBefore);
    const text = 'The agent ended without a result.';
    return { how: stop.aborted ? 'interrupted' : 'failed', text, turns: 0, costUsd: 0 };
  }

  /** Settles when it is gone. */
  async end(): Promise<void> {
    await this.#query[Symbol.asyncDispose]();
  }
}

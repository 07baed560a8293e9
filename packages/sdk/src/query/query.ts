import { checkOptions, checkPrompt } from '../options/check-options.ts';
import { CLIConnectionError } from '../sdk-errors.ts';
import type { SDKUserMessage } from '../types/messages.ts';
import type { Options } from '../types/options.ts';
import type { Query } from '../types/query.ts';
import { AgentQuery } from './agent-query.ts';
import { Conversation } from './conversation.ts';
import { promptMessage } from './prompt-message.ts';

/**
 * Start an agent, send it a prompt, and read what it says. A text is one turn; an async iterable is as many turns as it
 * yields prompts, and the agent stays as long as it goes on.
 */
export function query(params: { prompt: string | AsyncIterable<SDKUserMessage>; options?: Options }): Query {
  const { prompt, options = {} } = params;
  checkPrompt(prompt);
  checkOptions(options);
  return converse(new Conversation(options), prompt, options);
}

/** Say the prompt, or all that an iterable yields, once the agent is ready for it, and read what comes of it. */
export function converse(
  conversation: Conversation,
  prompt: string | AsyncIterable<SDKUserMessage>,
  options: Options = {},
  ready?: Promise<void>,
): Query {
  const agentQuery = new AgentQuery(conversation);
  const say = (): Promise<void> =>
    typeof prompt === 'string' ? sayOnce(conversation, prompt, options) : agentQuery.streamInput(prompt);
  feed(conversation, ready ? ready.then(say) : say());
  return agentQuery;
}

/** Let prompts be sent while somebody reads. What they throw ends the conversation. */
export function feed(conversation: Conversation, feeding: Promise<void>): void {
  feeding.catch((error: unknown) => {
    // An agent that is gone says itself why.
    if (!(error instanceof CLIConnectionError)) conversation.end(error);
  });
}

async function sayOnce(conversation: Conversation, text: string, options: Options): Promise<void> {
  await conversation.prompt({
    ...promptMessage([{ type: 'text', text }]),
    ...(options.verbatimPrompts ? { client_composed: true } : {}),
  });
  conversation.noMorePrompts({ waitForTurn: true });
}

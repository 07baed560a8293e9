import { ControlClosedError } from '@signalbox/protocol';
import { checkOptions } from '../options/check-options.ts';
import { CONTROL_TIMEOUT_MS, Conversation } from '../query/conversation.ts';
import type { Options } from '../types/options.ts';
import { WarmAgentError } from './warm-errors.ts';

/** How an agent is started ahead. */
export interface StartupParams {
  options?: Options;
  /** How long it may take to get ready, in milliseconds; 60 000 unless given. */
  initializeTimeoutMs?: number;
}

/** An agent that has answered `initialize`. One that does not is ended. */
export async function startedAgent(options: Options, timeoutMs = CONTROL_TIMEOUT_MS): Promise<Conversation> {
  checkOptions(options);
  const controlTimeoutMs = options.controlTimeoutMs ?? Math.max(timeoutMs, CONTROL_TIMEOUT_MS);
  const conversation = new Conversation({ ...options, controlTimeoutMs });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `The agent was not ready within ${timeoutMs} ms. Look at what it starts: servers, plugins, hooks.`;
    timer = setTimeout(() => reject(new WarmAgentError(message)), timeoutMs);
  });
  try {
    await Promise.race([conversation.initialized, late]);
    return conversation;
  } catch (error) {
    if (error instanceof ControlClosedError) await reasonOf(conversation);
    conversation.end();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Throws what an agent that left by itself left with: it says more than that the answer did not come. */
async function reasonOf(conversation: Conversation): Promise<void> {
  await conversation.ended;
  for (let next = await conversation.unread.next(); !next.done; ) next = await conversation.unread.next();
}

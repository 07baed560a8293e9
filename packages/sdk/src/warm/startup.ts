import { converse } from '../query/query.ts';
import type { WarmQuery } from '../types/warm.ts';
import { type StartupParams, startedAgent } from './started-agent.ts';
import { WarmAgentError } from './warm-errors.ts';

/** Start an agent and wait until it is ready, so that the first prompt need not. */
export async function startup({ options = {}, initializeTimeoutMs }: StartupParams = {}): Promise<WarmQuery> {
  const conversation = await startedAgent(options, initializeTimeoutMs);
  let state: 'waiting' | 'used' | 'closed' = 'waiting';
  const close = (): void => {
    if (state === 'waiting') conversation.end();
    if (state === 'waiting') state = 'closed';
  };
  return {
    query(prompt) {
      if (state !== 'waiting')
        throw new WarmAgentError('WarmQuery.query() can only be called once, and not after close().');
      state = 'used';
      return converse(conversation, prompt, options);
    },
    close,
    async [Symbol.asyncDispose]() {
      close();
      if (state === 'closed') await conversation.ended;
    },
  };
}

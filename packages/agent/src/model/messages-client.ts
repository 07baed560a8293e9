import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/beta/messages/messages';

/** The one part of the official client that an agent needs: the rest of it would be most of the executable. */
export function messagesClient(env: NodeJS.ProcessEnv): Messages {
  const client = new BaseAnthropic({
    apiKey: env.ANTHROPIC_API_KEY ?? null,
    authToken: env.ANTHROPIC_AUTH_TOKEN ?? null,
    baseURL: env.ANTHROPIC_BASE_URL ?? null,
    // Retries are ours: hosts are told about each.
    maxRetries: 0,
  });
  return new Messages(client);
}

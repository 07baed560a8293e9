import type { SessionCore } from '../loop/session-core.ts';
import { tokensOf } from '../loop/token-count.ts';
import type { LoadedSession } from '../session/load-session.ts';
import { subAgentReplies } from '../session/recorded-replies.ts';

/** Go on with the bill of a loaded conversation. Limits are on what is spent from now on. */
export async function recallCost(core: SessionCore, loaded: LoadedSession | undefined): Promise<void> {
  if (!loaded) return;
  const { accounting } = core;
  const replies = new Map(
    [...loaded.replies, ...(await subAgentReplies(loaded.file))].map((reply) => [reply.id, reply]),
  );
  for (const { model, usage } of replies.values()) accounting.add(model, tokensOf(usage));
  core.spentBeforeUsd = accounting.costUsd;
}

import type { LiveSession } from '../sessions/live-session.ts';

/** A new process of the agent is on its way: what the one before asked is over. */
export async function expectAgent(live: LiveSession, agent: string): Promise<void> {
  const open = live.asks.open.map(({ requestId }) => requestId);
  await live.asks.reconcile([], open, 'expired');
  live.note({ state: 'starting', agent, exit: null, problem: null, isLaunched: true });
}

/** The agent is gone; in these words, unless it is known better. */
export function noteEnd(live: LiveSession, stderr: string): void {
  live.note({ state: 'exited', exit: live.session.exit ?? { code: null, signal: null, stderr } });
}

import { LIMITS } from '@signalbox/protocol';
import type { SessionFacts } from '@signalbox/protocol/hub';

/** How much of an agent's last words the list of sessions has; the record has them all. */
const STDERR_LENGTH = 16 * 1024;

/** Facts without those that are longer than the list of sessions takes, whoever told them. */
export function clipFacts(told: Partial<SessionFacts>): Partial<SessionFacts> {
  const facts = { ...told };
  for (const name of ['title', 'folder', 'model', 'mode', 'agent', 'agentSession'] as const) {
    if ((facts[name]?.length ?? 0) > LIMITS.factLength.most) delete facts[name];
  }
  if (facts.exit) {
    const { code, signal, stderr } = facts.exit;
    const isShort = (signal?.length ?? 0) <= LIMITS.factLength.most;
    facts.exit = { code, signal: isShort ? signal : null, stderr: stderr.slice(-STDERR_LENGTH) };
  }
  return facts;
}

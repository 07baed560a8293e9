import { WireLine } from '@signalbox/protocol';
import type { MessageOnDisk } from '../launch/local-agent.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { SessionRecord } from '../store/record.ts';

/**
 * Bring what was said in a terminal into the record of its session, in its order. What the record has already is left out: a hub
 * that was killed over it does the rest.
 */
export async function keepSaidInTerminal(
  record: SessionRecord,
  live: LiveSession,
  messages: readonly MessageOnDisk[],
): Promise<void> {
  const lines: WireLine[] = [];
  for (const { uuid, line } of messages)
    if ((await record.locate(live.id, uuid)) === undefined) lines.push(WireLine.of(line));
  await live.post(lines);
}

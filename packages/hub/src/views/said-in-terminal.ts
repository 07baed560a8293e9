import { WireLine } from '@signalbox/protocol';
import type { MessageOnDisk, TranscriptOnDisk } from '../launch/local-agent.ts';
import type { ViewMark } from '../launch/view-mark.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { SessionRecord } from '../store/record.ts';

/** How many messages become durable at a time. */
const AT_ONCE = 100;

/**
 * Bring what was said in a terminal into the record of its session, in its order. What the record has already is left out: a hub
 * that was killed over it does the rest.
 */
export async function keepSaidInTerminal(
  record: SessionRecord,
  live: LiveSession,
  { messages }: TranscriptOnDisk,
  mark: Extract<ViewMark, { view: 'terminal' }> & { time: number },
): Promise<void> {
  const lines: WireLine[] = [];
  for (const { uuid, line } of messagesSince(messages, mark)) {
    if ((await record.locate(live.id, uuid)) === undefined) lines.push(WireLine.of(line));
    if (lines.length === AT_ONCE) await live.post(lines.splice(0));
  }
  await live.post(lines);
}

/** Those after the mark: by the last message before it, or by time where somebody went back beyond that. */
function messagesSince(
  messages: readonly MessageOnDisk[],
  { after, time }: { after: string | null; time: number },
): readonly MessageOnDisk[] {
  const before = after === null ? -1 : messages.findIndex(({ uuid }) => uuid === after);
  if (after === null || before >= 0) return messages.slice(before + 1);
  return messages.filter((message) => message.time !== null && message.time >= time);
}

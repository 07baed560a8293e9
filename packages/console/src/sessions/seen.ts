import { isJsonObject, parseJson } from '@signalbox/protocol';
import { useEffect } from 'react';
import type { Session } from 'signalbox/hub';
import { readOwn, writeOwn } from '../kept/own-storage.ts';

const SEEN = 'seen';

/** How many sessions are remembered. */
const MAX_REMEMBERED = 500;

/** When this browser last looked at each session. Storage that is full or forbidden means that nothing was seen. */
function read(): Record<string, number> {
  try {
    const stored: unknown = parseJson(readOwn(SEEN) ?? '{}');
    const times = isJsonObject(stored) ? Object.entries(stored) : [];
    return Object.fromEntries(times.filter((one): one is [string, number] => typeof one[1] === 'number'));
  } catch {
    return {};
  }
}

/** Whether something happened in a session since this browser looked at it. */
export function isUnread({ id, updatedAt }: Session, seen: Readonly<Record<string, number>>): boolean {
  return updatedAt > (seen[id] ?? 0);
}

export function seenSessions(): Readonly<Record<string, number>> {
  return read();
}

/** Whoever has a session in front of them sees what happens in it. */
export function useSeen(session: Session | undefined): void {
  const id = session?.id;
  const updatedAt = session?.updatedAt;
  useEffect(() => {
    if (id === undefined || updatedAt === undefined || document.hidden) return;
    const { [id]: _, ...others } = read();
    const kept = Object.entries(others).slice(-MAX_REMEMBERED);
    // Where there is no room, it counts as unread.
    writeOwn(SEEN, JSON.stringify(Object.fromEntries([...kept, [id, updatedAt]])));
  }, [id, updatedAt]);
}

import { shortInput, type ToolCall } from '@signalbox/protocol';
import { MAX_PAGE_ITEMS, type Page, type PastCall } from '@signalbox/protocol/hub';
import { turns } from '../base/turns.ts';
import type { PastRequest } from '../store/permission.ts';
import type { Store } from '../store/store.ts';
import { callIn } from './asked-call.ts';
import { placeOf, type SessionPlace } from './session-place.ts';

/** How much of a call is told in a list. */
const TEXT_LENGTH = 300;

/** A tool call that was asked about, where, and what came of it. */
export interface AskedCall {
  past: PastRequest;
  call: ToolCall;
  place: SessionPlace;
  outcome: PastCall['outcome'];
}

/** All tool calls that were ever asked about, newest first: page by page, so that nobody else waits for it. */
export async function* askedCalls(store: Store): AsyncGenerator<AskedCall[]> {
  const places = new Map<string, SessionPlace>();
  const read = (after?: string): Promise<Page<PastRequest>> =>
    store.permissions.listPast({ limit: MAX_PAGE_ITEMS, ...(after === undefined ? {} : { after }) });
  let page = await read();
  for (;;) {
    // The next one is read while this one is looked at.
    const next = page.next === undefined ? undefined : read(page.next);
    // Whoever stops here does not wait for it.
    next?.catch(() => {});
    for (const id of new Set(page.items.map(({ session }) => session)))
      if (!places.has(id)) places.set(id, await pastPlace(store, id));
    yield page.items.flatMap((past) => {
      const call = callIn(past.request);
      const place = places.get(past.session);
      return call && place ? [{ past, call, place, outcome: outcomeOf(past) }] : [];
    });
    if (!next) return;
    if (turns.isOver) await turns.rest();
    page = await next;
  }
}

/** A call as it is listed. */
export function pastCallOf({ past, call, outcome }: AskedCall): PastCall {
  const { session, requestId, openedAt, answer } = past;
  const text = shortInput(call.toolName, call.input, null).slice(0, TEXT_LENGTH);
  return {
    session,
    requestId,
    toolName: call.toolName.slice(0, TEXT_LENGTH),
    text,
    openedAt,
    outcome,
    author: answer?.author ?? null,
  };
}

async function pastPlace(store: Store, id: string): Promise<SessionPlace> {
  const [launch, session] = await Promise.all([store.launches.get(id), store.sessions.get(id)]);
  return { ...placeOf(id, launch), claimed: session?.folder ?? null };
}

/** Whoever changed the input has allowed something else. */
function outcomeOf({ state, answer }: PastRequest): PastCall['outcome'] {
  if (state !== 'answered' || !answer) return 'unanswered';
  if (!answer.what.startsWith('allow')) return 'denied';
  return answer.what.includes('with another input') ? 'changed' : 'allowed';
}

import type { RetentionLimits, Session, SweepReport } from '@signalbox/protocol/hub';
import { pagesOf } from '@signalbox/protocol/hub';
import type { ForgottenKind } from '../store/retention.ts';
import type { Store } from '../store/store.ts';
import { SessionNotFoundError } from '../store/store-errors.ts';
import type { Terminals } from '../terminals/terminals.ts';
import { archiveSession } from './session-archive.ts';

const DAY_MS = 24 * 60 * 60_000;
const MIB = 1024 * 1024;

/** Of every session so many entries stay, whatever their age: who comes back to it finds where it was. */
export const KEPT_ENTRIES = 200;

const FORGOTTEN: [kind: ForgottenKind, limit: keyof RetentionLimits & `${string}Days`][] = [
  ['prompts', 'promptDays'],
  ['permissions', 'permissionDays'],
  ['audit', 'auditDays'],
  ['devices', 'deviceDays'],
];

/** What a {@link sweep} works with. */
export interface SweepParts {
  store: Store;
  terminals: Terminals | undefined;
  /** Where entries are kept before they go. */
  archive: string | undefined;
}

/** Take away what is older than the limits say, and more while it is too much; as a trial, only say what that would be. */
export async function sweep(
  parts: SweepParts,
  limits: RetentionLimits,
  { isTrial = false, now = Date.now() } = {},
): Promise<SweepReport> {
  const { store, terminals } = parts;
  const before = (days: number | undefined): number | undefined =>
    days === undefined ? undefined : now - days * DAY_MS;
  const sessions: Session[] = [];
  for await (const page of pagesOf((request) => store.sessions.list(request))) sessions.push(...page);
  const trimmed: SweepReport['trimmed'] = [];
  const trim = async (session: string, upTo: number): Promise<void> => {
    const done = await trimTo(parts, session, upTo, { isTrial, isArchived: limits.archive !== false });
    if (done) trimmed.push(done);
  };
  const eventsBefore = before(limits.eventDays);
  if (eventsBefore !== undefined)
    for (const { id } of sessions)
      await unlessRemoved(async () => trim(id, await store.retention.olderThan(id, eventsBefore)));
  const forgotten = { prompts: 0, permissions: 0, audit: 0, devices: 0, terminals: 0 };
  for (const [kind, limit] of FORGOTTEN) {
    const time = before(limits[limit]);
    if (time !== undefined && !isTrial) forgotten[kind] = await forgetAll(store, kind, time);
  }
  const terminalsBefore = before(limits.terminalDays);
  if (terminals && terminalsBefore !== undefined && !isTrial)
    for (const { id } of sessions) forgotten.terminals += await endOld(terminals, id, terminalsBefore);
  const most = (limits.databaseMiB ?? Number.POSITIVE_INFINITY) * MIB;
  let { usedBytes } = await store.retention.size();
  // Those that nobody has touched for longest go first; as a trial nobody knows how far that would have to go.
  if (!isTrial)
    for (const { id } of sessions.toSorted((one, other) => one.updatedAt - other.updatedAt)) {
      if (usedBytes <= most) break;
      await unlessRemoved(() => trim(id, Number.POSITIVE_INFINITY));
      ({ usedBytes } = await store.retention.size());
    }
  return { at: now, isTrial, trimmed, forgotten, usedBytes, isOverLimit: usedBytes > most };
}

async function trimTo(
  { store, archive }: SweepParts,
  session: string,
  upTo: number,
  { isTrial, isArchived }: { isTrial: boolean; isArchived: boolean },
): Promise<SweepReport['trimmed'][number] | undefined> {
  const { last, trimmed } = await store.record.tail(session, 1);
  const range = { session, from: trimmed + 1, to: Math.min(upTo, last - KEPT_ENTRIES) };
  if (range.to < range.from) return undefined;
  const isKept = !isTrial && isArchived && archive !== undefined;
  const file = isKept ? await archiveSession(store, archive, range) : null;
  if (!isTrial) await store.retention.trim(session, range.to);
  return { ...range, archive: file };
}

/** A session may be removed while others are looked at. */
async function unlessRemoved(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SessionNotFoundError)) throw error;
  }
}

async function forgetAll(store: Store, kind: ForgottenKind, time: number): Promise<number> {
  let count = 0;
  for (;;) {
    const some = await store.retention.forget(kind, time);
    if (some === 0) return count;
    count += some;
  }
}

async function endOld(terminals: Terminals, session: string, time: number): Promise<number> {
  const old = terminals
    .list(session)
    .filter(({ state, startedAt, isAgent }) => state !== 'running' && startedAt < time && !isAgent);
  for (const { number } of old) await terminals.end(session, number);
  return old.length;
}

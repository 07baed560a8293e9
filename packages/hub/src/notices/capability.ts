import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import type { StoredCapability } from '../store/notice.ts';

/** How long a right to answer is good: a question of yesterday is looked at before it is answered. */
const LIFETIME_MS = 12 * 60 * 60_000;

/** What asks for more than yes or no. */
const WORDS_WANTED: readonly unknown[] = ['AskUserQuestion', 'ExitPlanMode'];

/** Whether yes or no is an answer to a request. */
export function isAnswerable(request: JsonObject): boolean {
  return request.subtype === 'can_use_tool' && !WORDS_WANTED.includes(request.tool_name);
}

/** What was asked, in a few letters: another tool or another input has others. */
export function digestOf({ tool_name: tool, input }: JsonObject): string {
  return createHash('sha256')
    .update(JSON.stringify([tool ?? null, isJsonObject(input) ? input : null]))
    .digest('hex');
}

/** A right to answer one request once: what its holder shows, and what is kept of it. */
export function createCapability(
  { notice, target }: { notice: { id: string }; target: string },
  { session, requestId, request }: { session: string; requestId: string; request: JsonObject },
  lifetimeMs = LIFETIME_MS,
): { text: string; stored: StoredCapability } {
  const id = randomUUID();
  const text = `${id}.${randomBytes(32).toString('base64url')}`;
  const expiresAt = Date.now() + lifetimeMs;
  const hash = hashOf(text).toString('hex');
  const digest = digestOf(request);
  return { text, stored: { id, hash, session, requestId, digest, target, notice: notice.id, expiresAt } };
}

/** The id that a right names, whether or not it proves anything. */
export function capabilityId(text: string): string {
  return text.slice(0, Math.max(0, text.indexOf('.')));
}

export function provesCapability(text: string, { hash }: StoredCapability): boolean {
  return timingSafeEqual(hashOf(text), Buffer.from(hash, 'hex'));
}

/** No guessing finds 256 random bits: a fast hash is enough. */
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

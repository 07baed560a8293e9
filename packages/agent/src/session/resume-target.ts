import { ResumeTargetError } from './session-errors.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SCHEMES = new Set(['http:', 'https:', 'ws:', 'wss:']);

/** What is to be resumed. Only a session that is named by its id goes on under that id. */
export type ResumeTarget =
  | { kind: 'session'; sessionId: string }
  | { kind: 'url'; url: string }
  | { kind: 'file'; file: string };

/** Read what `--resume` was given. Throws `ResumeTargetError`. */
export function parseResumeTarget(text: string): ResumeTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && SCHEMES.has(url.protocol)) return { kind: 'url', url: url.href };
  if (isSessionId(text)) return { kind: 'session', sessionId: text.toLowerCase() };
  if (text.endsWith('.jsonl')) return { kind: 'file', file: text };
  throw new ResumeTargetError(text);
}

/** A session id becomes a file name: nothing but a UUID is taken. */
export function isSessionId(text: string): boolean {
  return UUID.test(text);
}

import { isUrl } from '@signalbox/protocol';
import { UsageError } from '../base/agent-errors.ts';
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
  const url = isUrl(text) ? new URL(text) : undefined;
  if (url && SCHEMES.has(url.protocol)) return { kind: 'url', url: url.href };
  if (isSessionId(text)) return { kind: 'session', sessionId: text.toLowerCase() };
  if (text.endsWith('.jsonl')) return { kind: 'file', file: text };
  throw new ResumeTargetError(text);
}

/** The address that `--teleport` means: its own, or that of a session at the hub. Throws `UsageError`. */
export function teleportUrl(text: string, { SIGNALBOX_URL: hub = '' }: NodeJS.ProcessEnv): string {
  if (/^https?:/i.test(text) && isUrl(text)) return text;
  if (!isSessionId(text)) {
    throw new UsageError(`--teleport takes a session id (a UUID) or an http(s) address; it is "${text}".`);
  }
  if (!/^https?:/i.test(hub) || !isUrl(hub)) {
    throw new UsageError(
      '--teleport with an id needs the address of the hub: set SIGNALBOX_URL, for example to https://hub.example.com.',
    );
  }
  const base = hub.endsWith('/') ? hub : `${hub}/`;
  return new URL(`api/sessions/${text.toLowerCase()}/transcript`, base).href;
}

/** A session id becomes a file name: nothing but a UUID is taken. */
export function isSessionId(text: string): boolean {
  return UUID.test(text);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  isChained,
  isMessage,
  LineDecoder,
  messageOf,
  parseEntry,
  SignalboxError,
  type TranscriptEntry,
  timeLimit,
} from '@signalbox/protocol';
import { BodyTooLargeError, type HttpAnswer, httpGet } from '../base/http-get.ts';
import { isLoopbackHost } from '../base/private-network.ts';
import { readTranscript } from './read-transcript.ts';
import { isSessionId, type ResumeTarget } from './resume-target.ts';
import type { SessionPaths } from './session-paths.ts';
import { appendLines } from './transcript.ts';

/** How large a transcript may be, how long it may take to come, and how often it may have moved. */
export const MAX_REMOTE_BYTES = 64 * 1024 * 1024;
export const REMOTE_TIMEOUT_MS = 120_000;
export const MAX_REMOTE_REDIRECTS = 5;

/** A session could not be fetched. */
export class RemoteSessionError extends SignalboxError {
  constructor(url: URL, problem: string, cause?: unknown) {
    // Without its query, which may hold a token.
    super('REMOTE_SESSION_FAILED', `The session at ${url.origin}${url.pathname} ${problem}`, { cause });
  }
}

/** The session is here already, and has gone on. */
export class SessionAheadError extends SignalboxError {
  constructor(sessionId: string, url: URL) {
    super(
      'SESSION_AHEAD',
      `Session ${sessionId} has messages here that ${url.origin} does not have. Go on with --resume ${sessionId}, or remove it here to fetch it again.`,
    );
  }
}

/** How a session is fetched. */
export interface RemoteOptions {
  readonly sessionPaths: SessionPaths;
  /** Goes to the origin of the address, and nowhere else. */
  readonly token?: string | undefined;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** The token for hubs. */
export function remoteToken(env: NodeJS.ProcessEnv): string | undefined {
  return env.SIGNALBOX_TOKEN || env.CLAUDE_CODE_SESSION_ACCESS_TOKEN || undefined;
}

/** Fetch a session and keep it here, to be resumed. Throws {@link RemoteSessionError} and {@link SessionAheadError}. */
export async function fetchRemoteSession(
  address: string,
  options: RemoteOptions,
): Promise<Extract<ResumeTarget, { kind: 'session' }>> {
  const url = new URL(address);
  const lines = linesOf(url, await download(url, options));
  const sessionId = sessionOf(lines);
  if (sessionId === undefined) {
    throw new RemoteSessionError(url, 'is no transcript: nobody says anything in it. Check the address.');
  }
  await keep(sessionId, lines, url, options.sessionPaths);
  return { kind: 'session', sessionId };
}

async function download(
  start: URL,
  { token, signal, timeoutMs = REMOTE_TIMEOUT_MS }: RemoteOptions,
): Promise<Buffer> {
  if (start.protocol !== 'https:' && !(start.protocol === 'http:' && isLoopbackHost(start.hostname))) {
    throw new RemoteSessionError(
      start,
      'is not fetched: the address must be https, or http on this machine.',
    );
  }
  const timeout = timeLimit(timeoutMs);
  const ask = {
    headers: {
      accept: 'application/x-ndjson, application/jsonl',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    maxBytes: MAX_REMOTE_BYTES,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  let url = start;
  for (let redirects = 0; redirects <= MAX_REMOTE_REDIRECTS; redirects += 1) {
    const answer = await httpGet(url, ask).catch((error: unknown) => {
      signal?.throwIfAborted();
      const why = timeout.aborted ? `it took longer than ${timeoutMs / 1000} s.` : messageOf(error);
      const hint = error instanceof BodyTooLargeError ? '' : ' Is the hub running?';
      throw new RemoteSessionError(url, `could not be fetched: ${why}${hint}`, error);
    });
    if (!answer.location) return bodyOf(url, answer);
    if (answer.location.origin !== start.origin) {
      throw new RemoteSessionError(
        start,
        `has moved to ${answer.location.origin}. Give that address if you trust it.`,
      );
    }
    url = answer.location;
  }
  throw new RemoteSessionError(start, `redirects more than ${MAX_REMOTE_REDIRECTS} times.`);
}

function bodyOf(url: URL, { code, codeText, body }: HttpAnswer): Buffer {
  if (code === 200) return body;
  const hint =
    code === 401 || code === 403
      ? 'Set SIGNALBOX_TOKEN to a token of that hub.'
      : code === 404
        ? 'Check the address and the id.'
        : 'Try again later.';
  throw new RemoteSessionError(url, `was refused: ${code} ${codeText}. ${hint}`);
}

interface Line {
  readonly text: string;
  readonly entry: TranscriptEntry;
}

/** Files of another machine are not ours to rewind: what the transcript says about them could name any path. */
function linesOf(url: URL, body: Buffer): Line[] {
  const lines: Line[] = [];
  const decoder = new LineDecoder({
    onLine: (line) => {
      const text = line.text();
      const entry = parseEntry(text);
      if (!entry)
        throw new RemoteSessionError(
          url,
          'is no transcript: not every line of it is an entry. Check the address.',
        );
      if (!entry.type.startsWith('file-history-')) lines.push({ text, entry });
    },
  });
  decoder.push(body);
  decoder.end();
  return lines;
}

/** The session that the last message belongs to: a fork begins with messages of another. */
function sessionOf(lines: readonly Line[]): string | undefined {
  const id = lines.findLast(({ entry }) => isMessage(entry))?.entry.sessionId;
  return typeof id === 'string' && isSessionId(id) ? id.toLowerCase() : undefined;
}

async function keep(
  sessionId: string,
  lines: readonly Line[],
  url: URL,
  sessionPaths: SessionPaths,
): Promise<void> {
  const here = sessionPaths.projectFolders
    .map((folder) => join(folder, `${sessionId}.jsonl`))
    .find(existsSync);
  const file = here ?? sessionPaths.transcriptOf(sessionId);
  const known = await knownIds(here);
  const theirs = new Set(lines.flatMap(({ entry }) => (isChained(entry) ? [entry.uuid] : [])));
  if ([...known].some((uuid) => !theirs.has(uuid))) throw new SessionAheadError(sessionId, url);
  const lastKnown = lines.findLastIndex(({ entry }) => isChained(entry) && known.has(entry.uuid));
  const fresh = lines.slice(lastKnown + 1);
  if (fresh.length > 0) await appendLines(file, `${fresh.map(({ text }) => text).join('\n')}\n`);
}

/** The messages that are here already. */
async function knownIds(file: string | undefined): Promise<Set<string>> {
  const ids = new Set<string>();
  const note = (entry: TranscriptEntry): void => {
    if (isChained(entry)) ids.add(entry.uuid);
  };
  if (file !== undefined) await readTranscript(file, note);
  return ids;
}

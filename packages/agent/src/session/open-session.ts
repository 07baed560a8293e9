import { existsSync } from 'node:fs';
import type { SignalboxError } from '@signalbox/protocol';
import { FileCheckpoints } from './file-checkpoints.ts';
import { forkSession } from './fork-session.ts';
import { gitBranch } from './git-branch.ts';
import { type LoadedSession, loadSession, newestSession } from './load-session.ts';
import type { ResumeTarget } from './resume-target.ts';
import { SessionIdInUseError, TranscriptDamagedError, TranscriptWriteError } from './session-errors.ts';
import type { SessionPlaces } from './session-places.ts';
import { NoTranscript, type SessionLog, Transcript, type WrittenListener } from './transcript.ts';

/** How a session is to begin. */
export interface SessionStart {
  places: SessionPlaces;
  /** The id of a new session, and of a fork. */
  sessionId: string;
  /** What to go on with: a conversation of the past, the newest of this folder, or nothing. */
  resume?: Exclude<ResumeTarget, { kind: 'url' }> | 'newest' | undefined;
  /** The message to go on from, instead of the last. */
  resumeAt?: string | undefined;
  /** Leave the old session as it is, and go on under a new id. */
  fork?: boolean;
  /** Whether anything is written to disk. */
  isPersistent: boolean;
  /** Who hears of what is written to transcripts. */
  onWritten?: WrittenListener | undefined;
  /** What does not keep the session from going on, but should be told. */
  onProblem: (problem: SignalboxError) => void;
}

/** A session, ready to take prompts. */
export interface OpenSession {
  sessionId: string;
  log: SessionLog;
  /** Absent when nothing is written to disk. */
  checkpoints: FileCheckpoints | undefined;
  /** The conversation so far. */
  loaded: LoadedSession | undefined;
}

/** Begin a session, or go on with one. Throws what `loadSession` throws, and `SessionIdInUseError`. */
export async function openSession(start: SessionStart): Promise<OpenSession> {
  const { places, resume, onProblem, onWritten } = start;
  const target =
    resume === 'newest' ? { kind: 'session' as const, sessionId: await newestSession(places) } : resume;
  const loaded = target && (await loadSession(target, places, { resumeAt: start.resumeAt }));
  if (loaded && loaded.damagedLines > 0)
    onProblem(new TranscriptDamagedError(loaded.file, loaded.damagedLines));
  const goesOn = target?.kind === 'session' && start.fork !== true;
  const sessionId = goesOn ? target.sessionId : start.sessionId;
  const file = goesOn && loaded ? loaded.file : places.transcriptOf(sessionId);
  if (!start.isPersistent) return { sessionId, log: new NoTranscript(), checkpoints: undefined, loaded };
  if (!goesOn && existsSync(file)) throw new SessionIdInUseError(sessionId);
  try {
    if (loaded && !goesOn) {
      const lines = await forkSession(loaded, sessionId, places);
      onWritten?.(file, lines);
    }
  } catch (error) {
    // Half a conversation on disk is worse than none: the session goes on in memory.
    if (!(error instanceof TranscriptWriteError)) throw error;
    onProblem(error);
    return { sessionId, log: new NoTranscript(), checkpoints: undefined, loaded };
  }
  const log = new Transcript({
    file,
    sessionId,
    cwd: places.cwd,
    gitBranch: gitBranch(places.cwd),
    lastUuid: loaded?.lastUuid ?? null,
    lastTimestamp: loaded?.lastTimestamp,
    onWritten,
    onError: onProblem,
  });
  const checkpoints = new FileCheckpoints({
    folder: places.backupsOf(sessionId),
    cwd: places.cwd,
    log,
    history: loaded?.fileHistory ?? [],
    onSkip: onProblem,
  });
  return { sessionId, log, checkpoints, loaded };
}

import { existsSync } from 'node:fs';
import type { SignalboxError } from '@signalbox/protocol';
import { FileCheckpoints } from './file-checkpoints.ts';
import { forkSession } from './fork-session.ts';
import { gitBranch } from './git-branch.ts';
import { type LoadedSession, loadSession, newestSession } from './load-session.ts';
import type { ResumeTarget } from './resume-target.ts';
import { SessionIdInUseError, TranscriptDamagedError, TranscriptWriteError } from './session-errors.ts';
import type { SessionPaths } from './session-paths.ts';
import { NoTranscript, type SessionLog, Transcript, type WrittenListener } from './transcript.ts';

/** How a session is to begin. */
export interface SessionStart {
  sessionPaths: SessionPaths;
  /** The id of a new session, and of a fork. */
  sessionId: string;
  /** What to go on with: a conversation of the past, the newest of this folder, or nothing. */
  resume?: Exclude<ResumeTarget, { kind: 'url' }> | 'newest' | undefined;
  /** The message to go on from, instead of the last. */
  resumeAt?: string | undefined;
  /** The prompt of the turn that is left out thereby, where nothing else may be. */
  dropsTurn?: string | undefined;
  /** Leave the old session as it is, and go on under a new id. */
  fork?: boolean;
  /** Whether anything is written to disk. */
  isPersistent: boolean;
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

/** A session that can be opened: what it goes on with was read, and nothing is written yet. */
export interface FoundSession {
  readonly start: SessionStart;
  readonly sessionId: string;
  /** Where its transcript is, or will be. */
  readonly file: string;
  /** Whether it goes on in the transcript that was read. */
  readonly goesOn: boolean;
  readonly loaded: LoadedSession | undefined;
}

/** Find the session to begin or to go on with. Throws what `loadSession` throws, and `SessionIdInUseError`. */
export async function findSession(start: SessionStart): Promise<FoundSession> {
  const { sessionPaths, resume, onProblem } = start;
  const target =
    resume === 'newest' ? { kind: 'session' as const, sessionId: await newestSession(sessionPaths) } : resume;
  const loaded = target && (await loadSession(target, sessionPaths, start));
  if (loaded && loaded.damagedLines > 0)
    onProblem(new TranscriptDamagedError(loaded.file, loaded.damagedLines));
  const goesOn = target?.kind === 'session' && start.fork !== true;
  const sessionId = goesOn ? target.sessionId : start.sessionId;
  const file = goesOn && loaded ? loaded.file : sessionPaths.transcriptOf(sessionId);
  if (start.isPersistent && !goesOn && existsSync(file)) throw new SessionIdInUseError(sessionId);
  return { start, sessionId, file, goesOn, loaded };
}

/** Open a session that was found; somebody may want to hear of what is written to its transcripts. */
export async function openSession(found: FoundSession, onWritten?: WrittenListener): Promise<OpenSession> {
  const { start, sessionId, file, goesOn, loaded } = found;
  const { sessionPaths, onProblem } = start;
  if (!start.isPersistent) return { sessionId, log: new NoTranscript(), checkpoints: undefined, loaded };
  try {
    if (loaded && !goesOn) {
      const lines = await forkSession(loaded, sessionId, sessionPaths);
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
    cwd: sessionPaths.cwd,
    gitBranch: gitBranch(sessionPaths.cwd),
    lastUuid: loaded?.lastUuid ?? null,
    lastTimestamp: loaded?.lastTimestamp,
    onWritten,
    onError: onProblem,
  });
  const checkpoints = new FileCheckpoints({
    folder: sessionPaths.backupsOf(sessionId),
    cwd: sessionPaths.cwd,
    log,
    history: loaded?.fileHistory ?? [],
    onSkip: onProblem,
  });
  return { sessionId, log, checkpoints, loaded };
}

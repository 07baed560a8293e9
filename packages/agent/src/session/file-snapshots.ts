import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isJsonObject, type TranscriptEntry } from '@signalbox/protocol';

/** What a file was at one point: a copy, or nothing when it was not there. */
export interface Backup {
  /** The copy's name in the session's folder of backups. */
  backupFileName: string | null;
  version: number;
  backupTime: string;
  /** The folder it was in, with links resolved. */
  realParentDir?: string;
}

/** What every file that was ever changed was when a turn began. */
export interface Snapshot {
  /** The user message that began the turn. */
  messageId: string;
  timestamp: string;
  files: Map<string, Backup>;
}

/** The transcript's line for a snapshot; an update replaces an earlier line about the same turn. */
export function snapshotEntry(
  snapshot: Snapshot,
  cwd: string,
  update?: { messageId: string },
): TranscriptEntry {
  const trackedFileBackups = Object.fromEntries(
    [...snapshot.files].map(([path, backup]) => [trackingPath(path, cwd), backup]),
  );
  const { messageId, timestamp } = snapshot;
  return {
    type: 'file-history-snapshot',
    messageId: update?.messageId ?? messageId,
    snapshot: { messageId, trackedFileBackups, timestamp },
    isSnapshotUpdate: update !== undefined,
  };
}

/** The snapshots that a transcript tells of, oldest first. */
export function snapshotsIn(entries: readonly TranscriptEntry[], cwd: string): Map<string, Snapshot> {
  const snapshots = new Map<string, Snapshot>();
  for (const { type, snapshot, isSnapshotUpdate, snapshotMessageId, trackingPath: path, backup } of entries) {
    if (
      type === 'file-history-snapshot' &&
      isJsonObject(snapshot) &&
      typeof snapshot.messageId === 'string'
    ) {
      const { messageId, timestamp } = snapshot;
      const files = filesOf(snapshot.trackedFileBackups, cwd);
      // A busy `claude` may write the line that begins a turn after the update to it: what is known of the turn stays.
      const known = isSnapshotUpdate === true ? undefined : snapshots.get(messageId)?.files;
      for (const [file, kept] of known ?? []) files.set(file, kept);
      snapshots.set(messageId, { messageId, timestamp: String(timestamp), files });
    } else if (type === 'file-history-delta' && typeof path === 'string') {
      const checked = asBackup(backup);
      if (checked) snapshots.get(String(snapshotMessageId))?.files.set(resolve(cwd, path), checked);
    }
  }
  return snapshots;
}

function filesOf(backups: unknown, cwd: string): Map<string, Backup> {
  const files = new Map<string, Backup>();
  for (const [path, backup] of Object.entries(isJsonObject(backups) ? backups : {})) {
    const checked = asBackup(backup);
    if (checked) files.set(resolve(cwd, path), checked);
  }
  return files;
}

/** A name that leads out of the folder of backups could put any file in the place of another. */
function asBackup(value: unknown): Backup | undefined {
  if (!isJsonObject(value)) return undefined;
  const { backupFileName, version, backupTime, realParentDir } = value;
  const isName = typeof backupFileName === 'string' && /^[0-9a-f]+@v\d+$/.test(backupFileName);
  if (!isName && backupFileName !== null) return undefined;
  return {
    backupFileName,
    version: typeof version === 'number' ? version : 1,
    backupTime: String(backupTime),
    ...(typeof realParentDir === 'string' ? { realParentDir } : {}),
  };
}

/** Paths inside of the working directory are stored relative to it. */
function trackingPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`) ? path : inside;
}

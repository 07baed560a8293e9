import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isUrl } from '@signalbox/protocol';
import { readPlainFile } from '@signalbox/transport/read-plain-file';

/** What a hub says in its home about where it is, or was last. */
export interface HubFile {
  /** Where people find it. */
  url: string;
  /** The socket by which programs of this machine reach it; hubs of earlier versions have none. */
  socket?: string | undefined;
  /** Where it listens on this machine's own address. */
  dial?: string;
  /** What it shows there, as PEM, when it encrypts by itself: for bridges of earlier versions, which dial it. */
  certificate?: string | undefined;
  /** The process that it is. */
  pid?: number;
}

/** Where the hub of this home is, or was last; undefined when there was none yet. */
export function readHubFile(home: string): HubFile | undefined {
  try {
    // Written by this program and replaced as a whole.
    const file: HubFile = JSON.parse(readPlainFile(fileIn(home)));
    return isUrl(file.url) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Keep where the hub is. */
export function writeHubFile(home: string, file: HubFile): void {
  const draft = `${fileIn(home)}.new`;
  // Not written through a link, nor into a pipe, that somebody left there.
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify({ ...file, pid: process.pid })}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, fileIn(home));
}

function fileIn(home: string): string {
  return join(home, 'hub.json');
}

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Says where the hub of this home is, or was last. */
function fileIn(home: string): string {
  return join(home, 'hub.json');
}

/** Where the hub of this home is, or was last. */
export function hubUrlIn(home: string): string | undefined {
  try {
    const { url } = JSON.parse(readFileSync(fileIn(home), 'utf8'));
    return new URL(url).origin;
  } catch {
    // There was none yet.
    return undefined;
  }
}

/** The port that the hub of this home had last: bridges that outlived it dial that one. */
export function lastPort(home: string): number | undefined {
  const url = hubUrlIn(home);
  return url === undefined ? undefined : Number(new URL(url).port) || undefined;
}

/** Keep where the hub is. */
export function writeHubFile(home: string, url: string): void {
  const draft = `${fileIn(home)}.new`;
  writeFileSync(draft, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 });
  renameSync(draft, fileIn(home));
}

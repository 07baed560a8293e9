import { stat } from 'node:fs/promises';

/** How many files are looked at together. */
const FILES_AT_ONCE = 256;

/** Files by when they were changed, the newest first; those of the same time by name. */
export async function newestFirst(paths: readonly string[]): Promise<string[]> {
  const dated: { path: string; mtimeMs: number }[] = [];
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    const batch = paths.slice(at, at + FILES_AT_ONCE);
    dated.push(...(await Promise.all(batch.map(async (path) => ({ path, mtimeMs: await changedAt(path) })))));
  }
  return dated
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

async function changedAt(path: string): Promise<number> {
  // A link that leads nowhere, or a file that is gone by now, comes last.
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import type { ChangeComment } from '@signalbox/protocol/hub';
import { findLines } from './quoted-lines.ts';
import type { Repository } from './repository.ts';

type Place = Pick<ChangeComment, 'path' | 'side' | 'line' | 'quote' | 'baseCommit'>;

/** What lines are known again by. */
export function hashOf(quote: string): string {
  return createHash('sha256').update(quote).digest('hex');
}

type Fit = ChangeComment['fit'];

const FITS = { there: 'fits', elsewhere: 'moved', nowhere: 'gone' } as const;

/** Whether the lines that comments are about are still where they were. What was there before does not change. */
export async function fitsOf(repository: Repository, places: readonly Place[]): Promise<Fit[]> {
  const fits: Fit[] = [];
  const byFile = new Map<string, number[]>();
  for (const [at, { side, path, baseCommit }] of places.entries()) {
    const key = JSON.stringify([side, path, side === 'old' ? baseCommit : null]);
    byFile.set(key, [...(byFile.get(key) ?? []), at]);
  }
  // One file after the other: all of them may be long.
  for (const indexes of byFile.values()) {
    const [first] = indexes.flatMap((at) => places[at] ?? []);
    const text = first && (await textOf(repository, first));
    for (const at of indexes) fits[at] = await fitIn(text, places[at]);
  }
  return fits;
}

async function fitIn(text: Buffer | undefined, place: Place | undefined): Promise<Fit> {
  return text && place ? FITS[await findLines(text, place.quote, place.line)] : 'gone';
}

function textOf(repository: Repository, place: Place): Promise<Buffer | undefined> {
  return place.side === 'new' ? textNow(repository, place.path) : textBefore(repository, place);
}

async function textNow({ root }: Repository, path: string): Promise<Buffer | undefined> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(join(root, path), flags).catch(() => undefined);
  try {
    const stats = await file?.stat();
    if (!file || !stats?.isFile() || stats.size > LIMITS.commentedFileBytes.most) return undefined;
    return await file.readFile();
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

async function textBefore({ git }: Repository, { path, baseCommit }: Place): Promise<Buffer | undefined> {
  if (baseCommit === null) return undefined;
  const words = ['cat-file', 'blob', `${baseCommit}:${path}`];
  const output = await git.run(words, { maxBytes: LIMITS.commentedFileBytes.most }).catch(() => undefined);
  return output && !output.isCut ? output.stdout : undefined;
}

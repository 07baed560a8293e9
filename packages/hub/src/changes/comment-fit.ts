import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import type { ChangeComment } from '@signalbox/protocol/hub';
import type { Repository } from './repository.ts';

type Place = Pick<ChangeComment, 'path' | 'side' | 'line' | 'quote' | 'hash' | 'baseCommit'>;

/** What lines are known again by. */
export function hashOf(quote: string): string {
  return createHash('sha256').update(quote).digest('hex');
}

/** Whether the lines that a comment is about are still where they were. What was there before does not change. */
export async function fitOf(repository: Repository, place: Place): Promise<ChangeComment['fit']> {
  const lines = await linesOf(repository, place);
  if (!lines) return 'gone';
  const count = place.quote.split('\n').length;
  const isAt = (line: number): boolean =>
    hashOf(lines.slice(line - 1, line - 1 + count).join('\n')) === place.hash;
  if (isAt(place.line)) return 'fits';
  const [first] = place.quote.split('\n');
  const isElsewhere = lines.some((text, at) => text === first && isAt(at + 1));
  return isElsewhere ? 'moved' : 'gone';
}

async function linesOf(repository: Repository, place: Place): Promise<string[] | undefined> {
  const text =
    place.side === 'new' ? await textNow(repository, place.path) : await textBefore(repository, place);
  return text?.split('\n').map((line) => line.replace(/\r$/, ''));
}

async function textNow({ root }: Repository, path: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(join(root, path), flags).catch(() => undefined);
  try {
    const stats = await file?.stat();
    if (!file || !stats?.isFile() || stats.size > LIMITS.commentedFileBytes.most) return undefined;
    return await file.readFile('utf8');
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

async function textBefore({ git }: Repository, { path, baseCommit }: Place): Promise<string | undefined> {
  if (baseCommit === null) return undefined;
  const words = ['cat-file', 'blob', `${baseCommit}:${path}`];
  const output = await git.run(words, { maxBytes: LIMITS.commentedFileBytes.most }).catch(() => undefined);
  return output && !output.isCut ? output.stdout.toString() : undefined;
}

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ToolFailure } from '../../base/tool-failure.ts';
import type { ToolSession } from '../tool-session.ts';

/** That a file is not there, with the name in its folder that was probably meant; of files that may be read. */
export async function missingFile(path: string, session: ToolSession): Promise<ToolFailure> {
  const all = await readdir(dirname(path)).catch(() => undefined);
  const { cwd } = session;
  const mayShow = session.readFilter('Read') ?? (() => true);
  const names = all?.filter((name) => mayShow(join(dirname(path), name)));
  if (!names) return new ToolFailure(`File does not exist, nor does its folder: ${path}. You are in ${cwd}.`);
  const similar = closestName(basename(path), names);
  const hint = similar === undefined ? `You are in ${cwd}.` : `Did you mean ${join(dirname(path), similar)}?`;
  return new ToolFailure(`File does not exist: ${path}. ${hint}`);
}

function closestName(wanted: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= 2 || stem(name) === stem(wanted))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

function stem(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '').toLowerCase();
}

/** How many letters must be changed, added or dropped to make one name of the other. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (b[j - 1] === letter ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? Number.POSITIVE_INFINITY;
}

import { dirname, join, resolve } from 'node:path';
import { isInside } from '../base/real-path.ts';
import type { MemoryEntry, MemoryKind } from './memory-entry.ts';
import { MemoryReader, type MemorySource } from './memory-reader.ts';
import { type ProjectPlace, upwards } from './project-place.ts';

/** Where instructions are looked for. */
export interface MemoryPlace extends Omit<ProjectPlace, 'trustsProject'> {
  readonly home: string;
  /** Where an organisation keeps rules for all its machines. */
  readonly managedDir?: string;
  /**
   * Whether a project's files may import what lies outside of their folder. A repository could otherwise have secrets
   * of the person sent to the model.
   */
  readonly mayImportOutside?: boolean;
  /** Whether a file may be imported; rules that deny reading it hold here too. */
  readonly mayRead?: (path: string) => boolean;
}

/** All instructions for work in a folder: the organisation's, the person's, then the project's from the root down. */
export async function loadMemory(place: MemoryPlace): Promise<MemoryEntry[]> {
  const { configDir, managedDir, sources } = place;
  const reader = new MemoryReader(place);
  if (managedDir !== undefined) await readOwn(reader, managedDir, 'managed');
  if (sources.includes('user')) await readOwn(reader, configDir, 'user');
  const own = upwards(place.cwd).toReversed();
  const folders = [...own, ...(place.additionalDirectories ?? []).map((path) => resolve(place.cwd, path))];
  let hasProject = false;
  for (const folder of folders) hasProject = (await readFolder(reader, folder, place)) || hasProject;
  // Projects that keep their instructions for every agent need not repeat them for this one.
  if (!hasProject) for (const folder of own) await readShared(reader, folder, place);
  return reader.entries;
}

/** The instructions that folders below the working directory keep for a file in them, outermost first. */
export async function loadNestedMemory(place: MemoryPlace, file: string): Promise<MemoryEntry[]> {
  const reader = new MemoryReader(place);
  const below = upwards(dirname(file)).filter((path) => path !== place.cwd && isInside(path, place.cwd));
  for (const folder of below.toReversed()) {
    if (!(await readFolder(reader, folder, place))) await readShared(reader, folder, place);
  }
  return reader.entries;
}

async function readOwn(reader: MemoryReader, folder: string, kind: MemoryKind): Promise<void> {
  await reader.readFile(join(folder, 'CLAUDE.md'), { kind, root: undefined });
  await reader.readRules(join(folder, kind === 'managed' ? '.claude/rules' : 'rules'), {
    kind,
    root: undefined,
  });
}

/** Read what a folder of the project keeps for us. Says whether there was a file beside the rules. */
async function readFolder(reader: MemoryReader, folder: string, place: MemoryPlace): Promise<boolean> {
  const found: boolean[] = [];
  if (place.sources.includes('project')) {
    const source = sourceOf('project', folder, place);
    found.push(await reader.readFile(join(folder, 'CLAUDE.md'), source));
    // Above every project in the home folder lies what is the person's, and is read as such or not at all.
    if (join(folder, '.claude') !== place.configDir) {
      found.push(await reader.readFile(join(folder, '.claude', 'CLAUDE.md'), source));
      await reader.readRules(join(folder, '.claude', 'rules'), source);
    }
  }
  if (place.sources.includes('local')) {
    found.push(await reader.readFile(join(folder, 'CLAUDE.local.md'), sourceOf('local', folder, place)));
  }
  return found.includes(true);
}

async function readShared(reader: MemoryReader, folder: string, place: MemoryPlace): Promise<void> {
  if (!place.sources.includes('project')) return;
  await reader.readFile(join(folder, 'AGENTS.md'), sourceOf('project', folder, place));
  await reader.readFile(join(folder, '.claude', 'AGENTS.md'), sourceOf('project', folder, place));
}

function sourceOf(kind: MemoryKind, folder: string, { mayImportOutside = false }: MemoryPlace): MemorySource {
  return { kind, root: mayImportOutside ? undefined : folder };
}

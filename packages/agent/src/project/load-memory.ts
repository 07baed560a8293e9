import { dirname, join, resolve } from 'node:path';
import { isInside } from '../base/real-path.ts';
import type { MemoryEntry, MemoryKind } from './memory-entry.ts';
import { MemoryReader, type MemorySource } from './memory-reader.ts';
import { type ProjectLocation, upwards } from './project-location.ts';

/** Where instructions are looked for. */
export interface MemoryLocation extends Omit<ProjectLocation, 'trustsProject'> {
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
export async function loadMemory(location: MemoryLocation): Promise<MemoryEntry[]> {
  const { configDir, managedDir, sources } = location;
  const reader = new MemoryReader(location);
  if (managedDir !== undefined) await readOwn(reader, managedDir, 'managed');
  if (sources.includes('user')) await readOwn(reader, configDir, 'user');
  const own = upwards(location.cwd).toReversed();
  const folders = [
    ...own,
    ...(location.additionalDirectories ?? []).map((path) => resolve(location.cwd, path)),
  ];
  let hasProject = false;
  for (const folder of folders) hasProject = (await readFolder(reader, folder, location)) || hasProject;
  // Projects that keep their instructions for every agent need not repeat them for this one.
  if (!hasProject) for (const folder of own) await readShared(reader, folder, location);
  return reader.entries;
}

/** The instructions that folders below the working directory keep for a file in them, outermost first. */
export async function loadNestedMemory(location: MemoryLocation, file: string): Promise<MemoryEntry[]> {
  const reader = new MemoryReader(location);
  const below = upwards(dirname(file)).filter(
    (path) => path !== location.cwd && isInside(path, location.cwd),
  );
  for (const folder of below.toReversed()) {
    if (!(await readFolder(reader, folder, location))) await readShared(reader, folder, location);
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
async function readFolder(reader: MemoryReader, folder: string, location: MemoryLocation): Promise<boolean> {
  const found: boolean[] = [];
  if (location.sources.includes('project')) {
    const source = sourceOf('project', folder, location);
    found.push(await reader.readFile(join(folder, 'CLAUDE.md'), source));
    // Above every project in the home folder lies what is the person's, and is read as such or not at all.
    if (join(folder, '.claude') !== location.configDir) {
      found.push(await reader.readFile(join(folder, '.claude', 'CLAUDE.md'), source));
      await reader.readRules(join(folder, '.claude', 'rules'), source);
    }
  }
  if (location.sources.includes('local')) {
    found.push(await reader.readFile(join(folder, 'CLAUDE.local.md'), sourceOf('local', folder, location)));
  }
  return found.includes(true);
}

async function readShared(reader: MemoryReader, folder: string, location: MemoryLocation): Promise<void> {
  if (!location.sources.includes('project')) return;
  await reader.readFile(join(folder, 'AGENTS.md'), sourceOf('project', folder, location));
  await reader.readFile(join(folder, '.claude', 'AGENTS.md'), sourceOf('project', folder, location));
}

function sourceOf(
  kind: MemoryKind,
  folder: string,
  { mayImportOutside = false }: MemoryLocation,
): MemorySource {
  return { kind, root: mayImportOutside ? undefined : folder };
}

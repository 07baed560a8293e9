import { existsSync } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import type { FolderListing } from '@signalbox/protocol/hub';

/** The folders in a folder, links to folders among them. Rejects with what the system says where it may not be read. */
export async function listFolders(folder: string): Promise<FolderListing> {
  const names: string[] = [];
  let looked = 0;
  let isCut = false;
  for await (const entry of await opendir(folder)) {
    // A folder may hold files by the million.
    looked += 1;
    if (looked > LIMITS.listedFiles.most || names.length > LIMITS.listedFolders.most) {
      isCut = true;
      break;
    }
    if (entry.name.startsWith('.')) continue;
    const isFolder =
      entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(folder, entry.name)));
    if (isFolder) names.push(entry.name);
  }
  const { most } = LIMITS.listedFolders;
  const items = names
    .toSorted((one, other) => one.localeCompare(other))
    .slice(0, most)
    .map((name) => ({ name, isRepository: existsSync(join(folder, name, '.git')) }));
  const parent = dirname(folder);
  return { folder, parent: parent === folder ? null : parent, items, isCut: isCut || names.length > most };
}

async function leadsToFolder(folder: string, name: string): Promise<boolean> {
  const found = await stat(join(folder, name)).catch(() => undefined);
  return found?.isDirectory() === true;
}

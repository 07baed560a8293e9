import type { FolderListing } from '@signalbox/protocol/hub';

/** A folder that somebody may mean. */
export interface FolderChoice {
  path: string;
  kind: 'recent' | 'folder' | 'repository';
}

/** As many as can be looked over; others are found by writing on. */
const MAX_CHOICES = 30;
const MAX_RECENT = 6;

/** The folder whose folders are to be looked at while a path is typed, and the start of the name that is sought in it. */
export function typedFolder(typed: string): { folder: string; start: string } | undefined {
  if (typed === '' || typed === '~') return { folder: '~/', start: '' };
  if (!/^(?:\/|~\/)/.test(typed)) return undefined;
  const end = typed.lastIndexOf('/') + 1;
  return { folder: typed.slice(0, end), start: typed.slice(end) };
}

/** What is offered for what is typed: folders where people worked, then those that are there. */
export function folderChoices(
  typed: string,
  recent: readonly string[],
  listing: Pick<FolderListing, 'items'> | undefined,
): FolderChoice[] {
  const sought = typed.toLowerCase();
  const isHome = sought === '~';
  const known = recent
    .filter((path) => path !== typed && (isHome || path.toLowerCase().includes(sought)))
    .slice(0, MAX_RECENT)
    .map((path): FolderChoice => ({ path, kind: 'recent' }));
  const place = typedFolder(typed);
  const start = place?.start.toLowerCase() ?? '';
  const found = (place && listing ? listing.items : [])
    .filter(({ name }) => name.toLowerCase().startsWith(start))
    .map(({ name, isRepository }): FolderChoice => {
      return { path: `${place?.folder}${name}`, kind: isRepository ? 'repository' : 'folder' };
    });
  const fresh = found.filter(({ path }) => path !== typed && !known.some((one) => one.path === path));
  return [...known, ...fresh].slice(0, MAX_CHOICES);
}

/** The same folder, as one says it. */
export function withoutSlash(path: string): string {
  return path.replace(/(?<=[^~/])\/+$/, '');
}

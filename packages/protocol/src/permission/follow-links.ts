import { SignalboxError } from '../errors.ts';

/** A chain of links this long leads nowhere; the kernel gives up at the same number. */
const MAX_LINKS = 40;

/** A path leads through links that lead back to themselves. */
export class LinkLoopError extends SignalboxError {
  readonly path: string;

  constructor(path: string) {
    super('LINK_LOOP', `${path} is a loop of symbolic links`);
    this.path = path;
  }
}

/** What is known of a file system; nothing here touches one by itself. */
export interface LinkReader {
  /** The file system's own name for a path that exists: without links, in the letter case that is on disk. */
  canonical(path: string): string | undefined;
  /** What a link says; undefined for anything else, also for what is not there. */
  linkTarget(path: string): string | undefined;
}

/**
 * The file that a read or write of an absolute path really touches, also when it does not exist yet: a link that
 * points at nothing is followed, since a write through it makes what it points at. Throws {@link LinkLoopError}.
 */
export function followLinks(path: string, reader: LinkReader): string {
  const found = reader.canonical(path);
  if (found !== undefined) return found;
  const missing = withoutLinks(path, reader);
  // What exists of it gets the name that it has on disk.
  for (let end = missing.lastIndexOf('/'); end > 0; end = missing.lastIndexOf('/', end - 1)) {
    const folder = reader.canonical(missing.slice(0, end));
    if (folder !== undefined) return (folder === '/' ? '' : folder) + missing.slice(end);
  }
  return missing;
}

function withoutLinks(path: string, reader: LinkReader): string {
  const names = path.split('/').toReversed();
  let at = '';
  let links = 0;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      continue;
    }
    const target = reader.linkTarget(`${at}/${name}`);
    if (target === undefined) {
      at = `${at}/${name}`;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new LinkLoopError(path);
    if (target.startsWith('/')) at = '';
    names.push(...target.split('/').toReversed());
  }
  return at === '' ? '/' : at;
}

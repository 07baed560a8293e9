import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ControlPeer, ControlRefusal, type RuleSets } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { isInside, realFolders } from '../base/real-path.ts';
import { readFilter } from '../permission/read-filter.ts';
import { visibleBelow } from '../tools/search/visible-below.ts';
import { FileSuggestions } from './suggest-files.ts';

/** How much of a file a host gets, unless it asks for less. */
export const MAX_READ_BYTES = 1024 * 1024;

/** What a host may see of the files of a session. */
export interface VisibleFiles {
  /** Where the session was started. */
  readonly cwd: string;
  readonly home: string;
  /** Where it may work beside that. */
  readonly directories: () => readonly string[];
  readonly rules: () => RuleSets;
}

/** Answer what a host asks about files. */
export function answerFiles(peer: ControlPeer, files: VisibleFiles): void {
  const suggestions = new FileSuggestions(realPath(files.cwd));
  peer.handle('file_suggestions', async ({ query }, { signal }) => {
    const maySee = visibleBelow(filterOf(files), realPath(files.cwd), files.cwd);
    const paths = await suggestions.find(typeof query === 'string' ? query : '', signal, maySee);
    return { suggestions: paths.map((path) => ({ path })), cwd: files.cwd };
  });
  peer.handle('read_file', async ({ path, max_bytes: maxBytes, encoding }) => {
    const wanted = String(path);
    const absPath = visiblePath(wanted, files);
    const limit = typeof maxBytes === 'number' && maxBytes >= 0 ? Math.floor(maxBytes) : MAX_READ_BYTES;
    const bytes = absPath && (await readHead(absPath, Math.min(limit, MAX_READ_BYTES)));
    // What is not there and what is not shown look the same: nobody can feel their way around.
    if (!bytes) throw new ControlRefusal(`read denied: ${wanted}`);
    const isBase64 = encoding === 'base64';
    return {
      contents: bytes.head.toString(isBase64 ? 'base64' : 'utf8'),
      absPath,
      ...(bytes.isCut ? { truncated: true } : {}),
      ...(isBase64 ? { encoding: 'base64' } : {}),
    };
  });
}

/** Where a path really leads, if that is inside of the working directories and no rule has anything against it. */
function visiblePath(path: string, files: VisibleFiles): string | undefined {
  const { cwd, directories } = files;
  let real: string;
  try {
    real = realPath(resolve(cwd, path));
  } catch {
    return undefined;
  }
  const folders = realFolders([cwd, ...directories()], cwd);
  if (!folders.some((folder) => isInside(real, folder))) return undefined;
  const mayRead = filterOf(files) ?? (() => true);
  return mayRead(real) && mayRead(resolve(cwd, path)) ? real : undefined;
}

function filterOf({ cwd, home, rules }: VisibleFiles): ReturnType<typeof readFilter> {
  return readFilter('Read', rules(), { cwd: realPath(cwd), home });
}

async function readHead(path: string, limit: number): Promise<{ head: Buffer; isCut: boolean } | undefined> {
  // A pipe would wait for a writer, and a link may have come since the path was checked.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return undefined;
  try {
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(limit + 1), 0, limit + 1, 0);
    return { head: buffer.subarray(0, Math.min(bytesRead, limit)), isCut: bytesRead > limit };
  } finally {
    await file.close();
  }
}

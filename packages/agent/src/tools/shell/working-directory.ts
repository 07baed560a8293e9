import { open, rm } from 'node:fs/promises';
import { realPath } from '@signalbox/transport/real-path';
import { isFolder } from '../../base/is-folder.ts';
import { isInside, realFolders } from '../../base/real-path.ts';
import { ToolFailure } from '../../base/tool-failure.ts';
import type { ToolSession } from '../tool-session.ts';

/** No path is longer; what is, was not written by the shell. */
const MAX_PATH_BYTES = 4096;

/** Throws when the folder that commands run in has vanished: elsewhere they would do something else. */
export async function assertCwd(session: ToolSession): Promise<void> {
  const { cwd, originalCwd } = session;
  if (await isFolder(cwd)) return;
  if (cwd === originalCwd || !(await isFolder(originalCwd))) {
    throw new ToolFailure(`The working directory ${cwd} does not exist any more. Nothing was run.`);
  }
  session.cwd = originalCwd;
  throw new ToolFailure(
    `The working directory ${cwd} does not exist any more. Nothing was run; commands run in ${originalCwd} from now on.`,
  );
}

/** The folder that a command has noted, and the note is gone; nothing where there is none that can be read. */
export async function takeNote(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_PATH_BYTES));
    return buffer.toString('utf8', 0, bytesRead).replace(/\n$/, '');
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}

/**
 * A command ended in this folder: the next one starts there. Permissions are about the working directories, so a
 * folder outside of them is not kept. Returns a note for the model when the command's folder was not kept.
 */
export async function moveTo(folder: string, session: ToolSession): Promise<string> {
  if (folder === '' || folder === session.cwd) return '';
  const { originalCwd, additionalDirectories = [] } = session;
  const homes = realFolders([originalCwd, ...additionalDirectories], originalCwd);
  if (homes.some((home) => isInside(folder, home)) && (await isFolder(folder))) {
    // The same folder by its own name: a session that was started through a link stays there.
    if (folder !== realPath(session.cwd)) session.cwd = folder;
    return '';
  }
  session.cwd = session.originalCwd;
  return `Shell cwd was reset to ${session.originalCwd}`;
}

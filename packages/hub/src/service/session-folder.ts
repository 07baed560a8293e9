import { ForbiddenError } from '../auth/auth-errors.ts';
import { FolderNotFoundError } from '../launch/launch-errors.ts';
import { launchFolder } from '../launch/launch-folder.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { permit } from './permit.ts';

/** The folder that a session works in, for a person who may look at its files here. Raises `FOLDER_NOT_FOUND`. */
export async function folderOfSession(
  by: Device,
  session: string,
  { store, sessions }: { store: Pick<Store, 'launches'>; sessions: LiveSessions },
): Promise<string> {
  // An agent may run on another machine: the files of this one are not its to see.
  if (by.kind !== 'person') throw new ForbiddenError('watch');
  permit(by, 'watch', session);
  const launch = await store.launches.get(session);
  if (launch) return launchFolder(launch.spec.folder);
  const { folder } = await sessions.known(session);
  // An agent that was not launched here may name any folder: who looks there must be one who could launch one there.
  permit(by, 'drive');
  if (folder === null) throw new FolderNotFoundError('', 'The session has not said where it works.');
  return launchFolder(folder);
}

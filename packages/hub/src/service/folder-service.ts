import { LIMITS, messageOf } from '@signalbox/protocol';
import type { FolderListing, FoundFiles } from '@signalbox/protocol/hub';
import { ForbiddenError } from '../auth/auth-errors.ts';
import { listFolders } from '../folders/list-folders.ts';
import { type ListedFiles, listedFiles } from '../folders/listed-files.ts';
import { matchFiles } from '../folders/match-files.ts';
import { FolderNotFoundError } from '../launch/launch-errors.ts';
import { launchFolder } from '../launch/launch-folder.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { permit } from './permit.ts';
import { folderOfSession } from './session-folder.ts';

/** How long the files of a folder are taken for what they were: a path is typed letter by letter. */
const FRESH_MS = 3000;

/** Folders whose files are remembered that long. */
const MAX_REMEMBERED = 4;

/** Names of folders and files of the hub's machine, for those who may start agents there. Never what is in a file. */
export class FolderService {
  readonly #parts: { store: Store; sessions: LiveSessions };
  readonly #listed = new Map<string, { at: number; files: Promise<ListedFiles> }>();

  constructor(parts: { store: Store; sessions: LiveSessions }) {
    this.#parts = parts;
  }

  /** Raises `FOLDER_NOT_FOUND`. */
  async folders(by: Device, named: string): Promise<FolderListing> {
    // An agent may run on another machine: the folders of this one are not its to see.
    if (by.kind !== 'person') throw new ForbiddenError('drive');
    permit(by, 'drive');
    const folder = launchFolder(named).replace(/(?<=.)\/+$/, '');
    try {
      return await listFolders(folder);
    } catch (error) {
      throw new FolderNotFoundError(folder, `It cannot be looked into: ${messageOf(error)}`);
    }
  }

  async files(by: Device, session: string, query: string): Promise<FoundFiles> {
    permit(by, 'drive', session);
    const { paths, isCut } = await this.#files(await folderOfSession(by, session, this.#parts));
    const found = await matchFiles(paths, query, LIMITS.foundFiles.most);
    return { items: found.items, isCut: found.isCut || isCut };
  }

  #files(folder: string): Promise<ListedFiles> {
    const known = this.#listed.get(folder);
    if (known && Date.now() - known.at < FRESH_MS) return known.files;
    const files = listedFiles(folder);
    this.#listed.delete(folder);
    this.#listed.set(folder, { at: Date.now(), files });
    // One that failed is tried again at once.
    files.catch(() => this.#listed.delete(folder));
    const [oldest] = this.#listed.keys();
    if (this.#listed.size > MAX_REMEMBERED && oldest !== undefined) this.#listed.delete(oldest);
    return files;
  }
}

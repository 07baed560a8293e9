import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BridgeMeta, readMeta, signalboxHome } from './bridge-folder.ts';
import { ownerOf } from './folder-lock.ts';
import { leftRuns } from './left-run.ts';

/** A bridge of this machine, running or killed. */
export interface FoundBridge extends BridgeMeta {
  /** `left`: its process is gone and did not tidy up; starting a bridge of its id does. */
  state: 'running' | 'left';
  /** Whether there are lines that a hub may not have. */
  hasLines: boolean;
  folder: string;
}

/** The bridges of this machine, for a hub that has started and looks for its agents again. */
export async function findBridges(home: string = signalboxHome()): Promise<FoundBridge[]> {
  const folders = await readdir(join(home, 'bridges')).catch(() => []);
  return folders.flatMap((name) => {
    const folder = join(home, 'bridges', name);
    const meta = readMeta(folder);
    if (!meta) return [];
    const state = ownerOf(folder) ? 'running' : 'left';
    return [{ ...meta, state, hasLines: leftRuns(join(folder, 'outbox')).length > 0, folder }];
  });
}

import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { followLinks, type LinkReader } from '@signalbox/protocol';

const DISK: LinkReader = {
  canonical(path) {
    try {
      return realpathSync.native(path);
    } catch {
      return undefined;
    }
  },
  linkTarget(path) {
    try {
      return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
    } catch {
      return undefined;
    }
  },
};

/** The file that a read or write of a path touches; it need not exist. Throws `LinkLoopError`. */
export function realPath(path: string): string {
  return followLinks(resolve(path), DISK);
}

import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
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
      // Where we cannot look, we cannot read or write either.
      return undefined;
    }
  },
};

/** The file that a read or write of a path touches; it need not exist. Throws `LinkLoopError`. */
export function realPath(path: string): string {
  return followLinks(isAbsolute(path) ? path : resolve(path), DISK);
}

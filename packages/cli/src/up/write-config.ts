import { mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '@signalbox/hub';
import { messageOf } from '@signalbox/protocol';
import { FileNotWrittenError } from '../write-whole-file.ts';
import type { ConfigFile } from './up-settings.ts';

/**
 * Put a `config.json` in its place, whole or not at all; a link, such as one into a folder of dotfiles, stays one. Raises
 * `FILE_NOT_WRITTEN`. Nothing is awaited: no other change of this process comes between reading the file and this.
 */
export function writeConfig({ file, config }: ConfigFile): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(targetOf(file), `${JSON.stringify(config, undefined, 2)}\n`);
  } catch (error) {
    throw new FileNotWrittenError(file, messageOf(error));
  }
}

function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

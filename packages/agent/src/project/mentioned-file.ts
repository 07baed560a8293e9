import { stat } from 'node:fs/promises';
import { resolvePath } from '../base/resolve-path.ts';

/** What a sentence puts after a path. */
const PUNCTUATION = /[.,;:!?)\]}'"]+$/;

/** The file that `@path` means; undefined where there is none, as in `@param` or an address. */
export async function mentionedFile(
  mention: string,
  folder: string,
  home: string,
): Promise<string | undefined> {
  for (const path of new Set([mention, mention.replace(PUNCTUATION, '')])) {
    if (path === '' || path.includes('\0')) continue;
    const file = resolvePath(path, { cwd: folder, home });
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile()) return file;
  }
  return undefined;
}

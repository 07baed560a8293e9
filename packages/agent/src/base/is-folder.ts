import { stat } from 'node:fs/promises';

/** Whether there is a folder at this path, or a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

import { join, relative } from 'node:path';

/** Whether a file below a folder may be shown, by its real path and by the name that the folder was asked for with. */
export function visibleBelow(
  mayShow: ((path: string) => boolean) | undefined,
  root: string,
  named: string,
): (file: string) => boolean {
  if (!mayShow) return () => true;
  if (named === root) return mayShow;
  return (file) => mayShow(file) && mayShow(join(named, relative(root, file)));
}

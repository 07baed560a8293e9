/** A path from a folder. */
export function joinPath(folder: string, target: string): string {
  return target.startsWith('/') ? target : `${folder}/${target}`;
}

/** A path with its `..` taken away as `cd` does it: by its text, so that `link/..` is where the link stands. */
export function asWritten(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && names.length > 0 && !/^(?:\.\.)?$/.test(names.at(-1) ?? '')) names.pop();
    else if (name !== '.') names.push(name);
  }
  return names.join('/') || '.';
}

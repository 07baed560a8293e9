import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Write a file of the hub's own: whoever reads it, after a kill as well, has it whole, as it was or as it is. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true, recursive: true });
    throw error;
  }
}

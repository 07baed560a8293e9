// @ts-check
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Write a file in one step, because another program may be reading it. Says whether it changed. */
export function putFile(/** @type {string} */ file, /** @type {string | Buffer} */ content, mode = 0o644) {
  const bytes = Buffer.from(content);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return false;
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, bytes, { mode });
  renameSync(draft, file);
  return true;
}

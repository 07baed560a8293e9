import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeWholeFile } from '../write-whole-file.ts';
import type { ConfigFile } from './up-settings.ts';

/** Put a `config.json` in its place, whole or not at all. Raises `FILE_NOT_WRITTEN`. */
export async function writeConfig({ file, config }: ConfigFile): Promise<void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify(config, undefined, 2)}\n`;
  await writeWholeFile(file, once(text), async () => {}, { replaces: true });
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

import { readFile } from 'node:fs/promises';

/** What a file holds, once there is something in it. */
export async function pollFile(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.trim()) return text.trim();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

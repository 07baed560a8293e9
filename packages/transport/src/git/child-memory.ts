import { readFile } from 'node:fs/promises';

const LOOK_MS = 200;

const PAGE_BYTES = 4096;

/**
 * Look how much memory a process has of its own, until what this returns is called. A repository may lead git to a file without
 * an end, which it reads as one line. Where there is no /proc nobody looks.
 */
export function watchMemory(pid: number, most: number, onMore: () => void): () => void {
  let isRead = false;
  const look = async (): Promise<void> => {
    if (isRead) return;
    isRead = true;
    const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
    isRead = false;
    const [, resident = 0, shared = 0] = text.split(' ').map(Number);
    if ((resident - shared) * PAGE_BYTES > most) onMore();
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return () => clearInterval(timer);
}

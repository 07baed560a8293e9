import { isOtherPage } from '../model/page-version.ts';

/** Whether the hub was upgraded since it served this page: its parts that were not loaded yet may be gone. */
export async function isOutdated(): Promise<boolean> {
  const [own] = document.querySelectorAll<HTMLScriptElement>('script[src^="/assets/index-"]');
  if (!own) return false;
  try {
    const answer = await fetch('/', { cache: 'no-cache' });
    return answer.ok && isOtherPage(await answer.text(), new URL(own.src).pathname);
  } catch {
    return false;
  }
}

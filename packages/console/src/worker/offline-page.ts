import { OFFLINE_WORDS, type OfflineWords } from './offline-words.ts';

/** How often the hub is asked whether it is back. */
const LOOK_MS = 3000;

/** The address is still that of the page that was wanted: to load it again is to go there. */
async function look(): Promise<void> {
  try {
    if ((await fetch('/healthz', { cache: 'no-store' })).ok) location.reload();
  } catch {
    // Not yet.
  }
}

const others: ReadonlyMap<string, OfflineWords> = new Map(Object.entries(OFFLINE_WORDS));
const language = (localStorage.getItem('console-language') ?? navigator.language).split('-')[0] ?? '';
const words = others.get(language);
if (words) {
  document.documentElement.lang = language;
  for (const [id, text] of Object.entries(words)) document.getElementById(id)?.replaceChildren(text);
}

document.querySelector('button')?.addEventListener('click', () => location.reload());
for (const change of ['online', 'focus']) window.addEventListener(change, () => void look());
setInterval(() => void look(), LOOK_MS);

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

document.querySelector('button')?.addEventListener('click', () => location.reload());
for (const change of ['online', 'focus']) window.addEventListener(change, () => void look());
setInterval(() => void look(), LOOK_MS);

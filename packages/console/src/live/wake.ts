/** How often a page in sight looks at the clock, and how late it may do so before it counts as having slept. */
const TICK_MS = 2000;
const SLEPT_MS = 10_000;

/**
 * Call back whenever the connection may have died unheard: the page comes into sight or out of the back-forward cache, gets the
 * focus, the network comes or goes, or the clock has jumped, as after a sleep of the machine with the page in front.
 */
export function onWake(wake: () => void): void {
  const inSight = (): void => {
    if (!document.hidden) wake();
  };
  document.addEventListener('visibilitychange', inSight);
  document.addEventListener('resume', inSight);
  window.addEventListener('focus', inSight);
  window.addEventListener('pageshow', ({ persisted }) => persisted && wake());
  // A browser that says `offline` may still reach a hub of its own machine: that is looked at, not believed.
  for (const change of ['online', 'offline']) window.addEventListener(change, wake);
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - last > SLEPT_MS) inSight();
    last = now;
  }, TICK_MS);
}

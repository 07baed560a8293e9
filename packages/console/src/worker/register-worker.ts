const WORKER = '/service-worker.js';

/** The page has better things to load first. */
const AFTER_MS = 3000;

/** The service worker of the console; it stays when the page is closed. Raises what the browser has against it. */
export async function serviceWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(WORKER);
  return navigator.serviceWorker.ready;
}

/** The one that is there already; undefined when there is none. */
export async function knownServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker?.getRegistration('/');
}

/** Have the worker there for the next time that the hub does not answer. */
export function registerSoon(): void {
  if (!('serviceWorker' in navigator)) return;
  // Without it the browser shows a page of its own.
  setTimeout(() => void serviceWorker().catch(() => {}), AFTER_MS);
}

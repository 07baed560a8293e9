import type { RequestEvent, WorkerScope } from './worker-scope.ts';

/** The page that is shown while the hub does not answer, and what it loads. */
export interface OfflineFiles {
  version: string;
  files: readonly string[];
}

const PAGE = '/offline.html';

/** The parts of that page, whose names no other part of the console has. */
const PART = /^\/assets\/offline-/;

const CACHE = 'signalbox-offline ';

/**
 * Shows a page that says so when the hub does not answer. Nothing else is kept: no answer of the API, and no part of the console,
 * whose version must be the hub's own.
 */
export function addOfflineAnswers(worker: WorkerScope, { version, files }: OfflineFiles): void {
  const name = CACHE + version;
  worker.addEventListener('install', (event) => {
    event.waitUntil(keep(name, files));
    void worker.skipWaiting();
  });
  worker.addEventListener('activate', (event) => {
    event.waitUntil(forgetOthers(name));
    // The hub is asked while the worker starts: a page must not wait for it.
    event.waitUntil(worker.registration.navigationPreload?.enable() ?? Promise.resolve());
  });
  worker.addEventListener('fetch', (event) => {
    const { mode, method, url } = event.request;
    if (mode === 'navigate' && method === 'GET') event.respondWith(pageFor(event));
    else if (PART.test(new URL(url).pathname)) event.respondWith(partFor(event.request));
  });
}

async function keep(name: string, files: readonly string[]): Promise<void> {
  const cache = await caches.open(name);
  await cache.addAll(files);
}

async function forgetOthers(name: string): Promise<void> {
  const known = await caches.keys();
  await Promise.all(
    known.filter((one) => one.startsWith(CACHE) && one !== name).map((one) => caches.delete(one)),
  );
}

async function pageFor({ request, preloadResponse }: RequestEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const page = await caches.match(PAGE);
    if (page) return page;
    throw error;
  }
}

async function partFor(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

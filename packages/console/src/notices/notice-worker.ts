// The service worker: shows what the hub pushes, and answers by it while no page is open. It cannot read the page's storage, and
// needs no token: what came with the notice is the right to answer it.

/** What the hub pushes (`packages/hub/src/notices/push.ts`). */
export interface Pushed {
  event: string;
  notice: string;
  title: string;
  body: string;
  url: string;
  capability: string | null;
}

type Shown = Pick<Pushed, 'url' | 'capability' | 'title'>;

/** What of a service worker is used here: its types and those of a page exclude each other. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: object): Promise<readonly { url: string; focus(): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install', listener: () => void): void;
  addEventListener(type: 'push', listener: (event: PushedEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
}

interface PushedEvent {
  data: { json(): Pushed } | null;
  waitUntil(work: Promise<unknown>): void;
}

interface ClickEvent {
  action: string;
  notification: { tag: string; data: Shown; close(): void };
  waitUntil(work: Promise<unknown>): void;
}

const ACTIONS = [
  { action: 'allow', title: 'Allow' },
  { action: 'deny', title: 'Deny' },
];

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this runs in a service worker, and nowhere else
const worker = globalThis as unknown as WorkerScope;

worker.addEventListener('install', () => void worker.skipWaiting());

worker.addEventListener('push', (event) => {
  const message = event.data?.json();
  if (message) event.waitUntil(message.event === 'closed' ? close(message.notice) : show(message));
});

worker.addEventListener('notificationclick', (event) => {
  const { action, notification } = event;
  notification.close();
  const isAnswer = action !== '' && notification.data.capability !== null;
  event.waitUntil(
    isAnswer ? answer(notification.tag, notification.data, action) : open(notification.data.url),
  );
});

function show({ notice, event, title, body, url, capability }: Pushed): Promise<void> {
  const options: NotificationOptions & { actions: typeof ACTIONS } = {
    body,
    tag: notice,
    data: { url, capability, title } satisfies Shown,
    requireInteraction: event === 'asks',
    actions: capability === null ? [] : ACTIONS,
  };
  return worker.registration.showNotification(title, options);
}

/** It was answered elsewhere. */
async function close(tag: string): Promise<void> {
  for (const notification of await worker.registration.getNotifications({ tag })) notification.close();
}

async function answer(tag: string, { url, capability, title }: Shown, behavior: string): Promise<void> {
  const problem = await problemOfAnswer(capability, behavior);
  if (problem === undefined) return;
  // Nobody may believe that it was answered.
  const data = { url, capability: null, title } satisfies Shown;
  await worker.registration.showNotification(`Not answered: ${title}`, { body: problem, tag, data });
}

async function problemOfAnswer(capability: string | null, behavior: string): Promise<string | undefined> {
  try {
    const said = await fetch('/api/notice-answers', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify({ capability, behavior }),
    });
    if (said.ok) return undefined;
    const { detail }: { detail?: string } = await said.json();
    return detail ?? `The hub answered ${said.status}.`;
  } catch {
    return 'The hub does not answer. Open the console when it is back.';
  }
}

/** Go to the session: in a page of the console that is open, or in a new one. */
async function open(url: string): Promise<void> {
  const { pathname } = new URL(url);
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === pathname);
  await (page ? page.focus() : worker.clients.openWindow(pathname));
}

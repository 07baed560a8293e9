// Shows what the hub pushes, and answers by it while no page is open. A service worker cannot read the page's storage, and needs no
// token: what came with the notice is the right to answer it.

import type { ClickEvent, PushedEvent, WorkerScope } from './worker-scope.ts';
import { WORDS } from './worker-words.ts';

/** What the hub pushes (`packages/hub/src/notices/push.ts`). */
interface Pushed {
  event: string;
  notice: string;
  title: string;
  body: string;
  url: string;
  capability: string | null;
}

/** What a notification keeps of it. */
type Shown = Pick<Pushed, 'url' | 'capability' | 'title'>;

const ACTIONS = [
  { action: 'allow', title: WORDS.allow },
  { action: 'deny', title: WORDS.deny },
];

/** Answers pushes, and presses on what they showed. */
export function addNoticePushes(worker: WorkerScope): void {
  worker.addEventListener('push', (event: PushedEvent) => {
    const message: Pushed | undefined = event.data?.json();
    if (!message) return;
    const { event: kind, notice } = message;
    event.waitUntil(kind === 'closed' ? close(worker, notice) : show(worker, message));
  });
  worker.addEventListener('notificationclick', (event: ClickEvent) => {
    const { action, notification } = event;
    const shown: Shown = notification.data;
    notification.close();
    const isAnswer = action !== '' && shown.capability !== null;
    event.waitUntil(isAnswer ? answer(worker, notification.tag, shown, action) : open(worker, shown.url));
  });
}

function show(worker: WorkerScope, { notice, event, url, capability, ...words }: Pushed): Promise<void> {
  const title = WORDS.title(words.title);
  const options: NotificationOptions & { actions: typeof ACTIONS } = {
    body: WORDS.body(words.body),
    tag: notice,
    data: { url, capability, title } satisfies Shown,
    requireInteraction: event === 'asks',
    actions: capability === null ? [] : ACTIONS,
  };
  return worker.registration.showNotification(title, options);
}

/** It was answered elsewhere. */
async function close(worker: WorkerScope, tag: string): Promise<void> {
  for (const notification of await worker.registration.getNotifications({ tag })) notification.close();
}

async function answer(
  worker: WorkerScope,
  tag: string,
  { url, capability, title }: Shown,
  behavior: string,
): Promise<void> {
  const problem = await problemOfAnswer(capability, behavior);
  if (problem === undefined) return;
  // Nobody may believe that it was answered.
  const data = { url, capability: null, title } satisfies Shown;
  await worker.registration.showNotification(WORDS.notAnswered(title), { body: problem, tag, data });
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
    return detail ?? WORDS.hubAnswered(said.status);
  } catch {
    return WORDS.noAnswer;
  }
}

/** Go to the session: in a page of the console that is open, or in a new one. */
async function open(worker: WorkerScope, url: string): Promise<void> {
  const { pathname } = new URL(url);
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === pathname);
  await (page ? page.focus() : worker.clients.openWindow(pathname));
}

import type { HubApi } from 'signalbox/hub';
import { t } from '../words/t.ts';
import { knownServiceWorker, serviceWorker } from '../worker/register-worker.ts';

/** Why this browser cannot be pushed to; undefined when it can. */
export function pushProblem(): string | undefined {
  if (!window.isSecureContext) return t.notices.needsHttps;
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return t.notices.cannotPush;
  if (Notification.permission === 'denied') return t.notices.blocked;
  return undefined;
}

/** Have the hub push to this browser. Raises an error that says what is in the way. */
export async function subscribeThisBrowser(api: HubApi): Promise<void> {
  // Asked first: browsers want it to follow the click.
  if ((await Notification.requestPermission()) !== 'granted') throw new Error(t.notices.needsPermission);
  const key = await api.pushKey();
  if (key === null) throw new Error(t.notices.hubCannotPush);
  const { pushManager } = await serviceWorker();
  const known = await pushManager.getSubscription();
  // One for another hub, or for keys that it has lost, gets nothing.
  if (known && !isFor(known, key)) await known.unsubscribe();
  const { endpoint, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  ).toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new Error(t.notices.noPushAddress);
  await api.subscribeToPush({ endpoint, keys: { p256dh, auth } });
}

/** The browser forgets it; the hub is told by whoever calls. */
export async function unsubscribeThisBrowser(): Promise<void> {
  const registration = await knownServiceWorker();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

function isFor({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return text === key;
}

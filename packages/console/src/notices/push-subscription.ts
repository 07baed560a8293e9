import type { HubApi } from 'signalbox/hub';
import { knownServiceWorker, serviceWorker } from '../worker/register-worker.ts';

/** Why this browser cannot be pushed to; undefined when it can. */
export function pushProblem(): string | undefined {
  if (!window.isSecureContext)
    return 'Browsers push only to pages that came over https, or from this machine itself.';
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return 'This browser cannot be pushed to. On an iPhone, add the page to the home screen first.';
  if (Notification.permission === 'denied')
    return 'Notices of this page are blocked. Allow them in the settings of the browser.';
  return undefined;
}

/** Have the hub push to this browser. Raises an error that says what is in the way. */
export async function subscribeThisBrowser(api: HubApi): Promise<void> {
  // Asked first: browsers want it to follow the click.
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Without the permission of the browser nothing can be shown.');
  const key = await api.pushKey();
  if (key === null) throw new Error('This hub cannot push.');
  const { pushManager } = await serviceWorker();
  const known = await pushManager.getSubscription();
  // One for another hub, or for keys that it has lost, gets nothing.
  if (known && !isFor(known, key)) await known.unsubscribe();
  const { endpoint, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  ).toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new Error('The browser gave no address for notices.');
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

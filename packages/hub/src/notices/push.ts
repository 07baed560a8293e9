import type { StoredTarget } from '../store/notice.ts';
import type { NoticeMessage } from './notice-message.ts';
import type { OutgoingRequest } from './post.ts';
import { loadWebPush, type PushKeyPair } from './push-keys.ts';

/** How long a push service keeps a notice for a browser that is away. */
const LIFETIME_S = 12 * 60 * 60;

/** What a point of the curve and a secret of a subscription take (RFC 8291). */
const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/** Whether the keys of a subscription can be those of a browser. */
export function areKeys({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  return (
    point.length === POINT_BYTES && point[0] === 4 && Buffer.from(auth, 'base64url').length === AUTH_BYTES
  );
}

/** A notice for a browser: encrypted for it, so that the push service in between cannot read it. */
export async function pushRequest(
  { url, keys }: Pick<StoredTarget, 'url' | 'keys'>,
  message: NoticeMessage,
  own: PushKeyPair,
  hub: string,
): Promise<OutgoingRequest> {
  const { event, notice, title, body, url: link, answer } = message;
  const payload = JSON.stringify({
    event,
    notice,
    title,
    body,
    url: link,
    capability: answer?.capability ?? null,
  });
  const { headers, body: encrypted } = (await loadWebPush()).generateRequestDetails(
    { endpoint: url, keys: keys ?? { p256dh: '', auth: '' } },
    payload,
    {
      // Who push services write to when something is wrong with what comes from here.
      vapidDetails: { subject: hub.startsWith('https:') ? hub : 'mailto:signalbox@localhost', ...own },
      TTL: LIFETIME_S,
      contentEncoding: 'aes128gcm',
      urgency: event === 'asks' || event === 'failed' ? 'high' : 'normal',
      // A later message takes the place of one that the browser has not fetched yet.
      topic: notice.replaceAll('-', ''),
    },
  );
  // Some are numbers, whatever the types say.
  const said = Object.entries<unknown>(headers).map(([name, value]) => [name, String(value)] as const);
  return {
    url: new URL(url),
    // The length is said where it is sent.
    headers: Object.fromEntries(said.filter(([name]) => name.toLowerCase() !== 'content-length')),
    body: Buffer.from(encrypted),
  };
}

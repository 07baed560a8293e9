import type { StoredTarget } from '../store/notice.ts';
import { NoticeUrlError } from './notice-errors.ts';
import type { MessageCapability, NoticeMessage } from './notice-message.ts';
import type { OutgoingRequest } from './post.ts';

const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;

const PRIORITY: Partial<Record<NoticeMessage['event'], number>> = { asks: 4, failed: 4, closed: 1 };

const TAGS: Partial<Record<NoticeMessage['event'], string>> = {
  asks: 'question',
  finished: 'white_check_mark',
  failed: 'rotating_light',
  budget: 'moneybag',
};

/** The server and the topic that an address names. Raises `NOTICE_URL_INVALID`. */
export function ntfyTopic(url: URL): { server: URL; topic: string } {
  const parts = url.pathname.split('/').filter(Boolean);
  const topic = parts.pop() ?? '';
  if (!TOPIC.test(topic) || url.search !== '')
    throw new NoticeUrlError('it names no topic: an address of ntfy is https://server/topic');
  return { server: new URL(`/${parts.join('/')}`, url), topic };
}

/**
 * A notice for ntfy. All of it is in the body: nothing that an agent says becomes a header. A later message under the same sequence
 * takes the place of the earlier one (from ntfy 2.16 on; before that, both are shown).
 */
export function ntfyRequest(
  { url, token }: Pick<StoredTarget, 'url' | 'token'>,
  { event, notice, title, body, url: click, answer }: NoticeMessage,
): OutgoingRequest {
  const { server, topic } = ntfyTopic(new URL(url));
  const tag = TAGS[event];
  const message = {
    topic,
    title,
    message: body || title,
    click,
    priority: PRIORITY[event] ?? 3,
    sequence_id: notice,
    ...(tag === undefined ? {} : { tags: [tag] }),
    ...(answer ? { actions: [action(answer, 'allow'), action(answer, 'deny')] } : {}),
  };
  return {
    url: server,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'signalbox',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(message),
  };
}

/** A button that answers without a page. */
function action({ url, capability }: MessageCapability, behavior: 'allow' | 'deny') {
  return {
    action: 'http',
    label: behavior === 'allow' ? 'Allow' : 'Deny',
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ capability, behavior }),
    clear: true,
  };
}

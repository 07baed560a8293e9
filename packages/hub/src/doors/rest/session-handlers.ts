import type { sessionRoutes } from '@signalbox/protocol/hub/routes';
import type { Services } from '../../service/services.ts';
import { encodeEntryList } from '../../sessions/stream-message.ts';
import type { HandlersOf } from './handler.ts';

export function sessionHandlers({
  sessions,
  launches,
}: Pick<Services, 'sessions' | 'launches'>): HandlersOf<typeof sessionRoutes> {
  return {
    'GET /api/sessions': ({ device, query: { state, ...page } }) =>
      sessions.listSessions(device, { ...page, ...(state ? { states: [state] } : {}) }),
    'POST /api/sessions': async ({ device, body: { launch, ...body }, attempt }) => {
      const place = { ...(attempt ? { id: attempt.made } : {}), ...body };
      const begunAt = attempt?.begunAt;
      if (launch) return { session: await launches.create(device, { ...place, launch }, begunAt) };
      const { session, token } = await sessions.createSession(device, place, begunAt);
      return { session, token, path: `/ws/${session.id}` };
    },
    'GET /api/updates': ({ device, query }) => sessions.updates(device, query),
    'GET /api/sessions/{session}': ({ device, params }) => sessions.session(device, params.session),
    'PATCH /api/sessions/{session}': ({ device, params, body }) =>
      sessions.change(device, params.session, body),
    'GET /api/sessions/{session}/events': async ({ device, params: { session }, query }) => {
      const { last, trimmed, entries } = await sessions.events(device, session, query);
      const start = Buffer.from(`{"last":${last},${trimmed > 0 ? `"trimmed":${trimmed},` : ''}"entries":`);
      return Buffer.concat([start, encodeEntryList(session, entries), Buffer.from('}')]);
    },
    'GET /api/sessions/{session}/transcript': ({ device, params }) =>
      sessions.transcript(device, params.session),
    'GET /api/sessions/{session}/viewers': ({ device, params }) =>
      sessions.use(device, params.session, ({ feed }) => ({ items: feed.viewers })),
    'POST /api/sessions/{session}/control': ({ device, params, query, body }) =>
      sessions.control(device, params.session, body, query),
  };
}

import * as z from 'zod';
import type { Archive } from './archive.ts';
import { JSONL, nothing, type Route, route } from './route.ts';
import * as schema from './schemas.ts';

const inSession = z.object({ session: schema.sessionId });

const bytes = z.custom<AsyncIterable<Uint8Array>>(
  (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  'an export is needed',
);

/** Whole sessions: out of the hub, into it, and gone. */
export function archiveRoutes(archive: Archive): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/sessions/{session}/export',
      summary: 'The session as JSONL: what is known of it, then its record',
      scope: 'watch',
      params: inSession,
      query: nothing,
      body: nothing,
      status: 200,
      gives: JSONL,
      answer: z.string(),
      handle: ({ device, params }) => archive.export(device, params.session),
    }),
    route({
      method: 'post',
      path: '/api/sessions/import',
      summary: 'A session from its export: all of it, or nothing',
      scope: 'admin',
      params: nothing,
      query: z.object({ id: schema.sessionId.exactOptional().describe('another id than it had') }),
      takes: JSONL,
      body: bytes,
      status: 201,
      answer: schema.session,
      handle: ({ device, query, body }) => archive.import(device, body, query.id),
    }),
    route({
      method: 'delete',
      path: '/api/sessions/{session}',
      summary: 'Forget a session and its record; refused while its agent runs',
      scope: 'admin',
      params: inSession,
      query: nothing,
      body: nothing,
      status: 200,
      answer: z.object({ removed: z.string() }),
      handle: async ({ device, params }) => {
        await archive.remove(device, params.session);
        return { removed: params.session };
      },
    }),
  ];
}

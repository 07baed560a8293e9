import * as z from 'zod';
import type { Desk } from './desk.ts';
import { nothing, type Route, route } from './route.ts';
import * as schema from './schemas.ts';

/** Who watches. */
export function viewerRoutes(desk: Desk): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/sessions/{session}/viewers',
      summary: 'Who watches a session at the moment, each device once',
      scope: 'watch',
      params: z.object({ session: schema.sessionId }),
      query: nothing,
      body: nothing,
      status: 200,
      answer: z.object({ items: z.array(schema.viewer) }),
      handle: async ({ device, params }) => {
        const { feed } = await desk.live(device, params.session);
        return { items: feed.viewers };
      },
    }),
  ];
}

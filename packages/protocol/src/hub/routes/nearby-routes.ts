import * as z from 'zod';
import { nearbyRelay, relayPort } from '../schema/nearby.ts';
import { session } from '../schema/session.ts';
import type { RouteTable } from './route.ts';

export const nearbyRoutes = {
  'GET /api/nearby': {
    summary: "Relays of others on the hub's machine, on the ports where frontends look",
    scope: 'admin',
    isLong: true,
    isSlow: true,
    answer: z.object({ items: z.array(nearbyRelay) }),
  },
  'POST /api/nearby': {
    summary: 'Take part in a relay as one of its frontends: its agent is a session here from then on',
    scope: 'admin',
    body: z.strictObject({
      port: relayPort,
      agent: z
        .string()
        .regex(/^[\w.][\w.-]{0,199}$/)
        .exactOptional()
        .describe('the session id of the agent; the first that speaks unless given'),
    }),
    status: 201,
    answer: session,
    isRepeatable: true,
    errors: ['AGENT_NOT_STARTED'],
  },
} satisfies RouteTable;

import * as z from 'zod';
import { RELAY_PORTS } from '../relay-ports.ts';

export const relayPort = z.number().int().min(RELAY_PORTS.first).max(RELAY_PORTS.last);

export const nearbyRelay = z.object({
  port: z.number(),
  state: z.enum(['open', 'closed']).describe('open lets frontends in; closed wants a token'),
  agents: z
    .array(z.string().nullable())
    .describe('the session ids of agents that were heard; null for one that has not said its own'),
});

/** A relay of the hub's machine that is not the hub itself. */
export type NearbyRelay = z.infer<typeof nearbyRelay>;

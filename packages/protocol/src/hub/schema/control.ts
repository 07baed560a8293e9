import * as z from 'zod';

export const controlRequest = z
  .looseObject({ subtype: z.string() })
  .refine(({ subtype }) => subtype !== 'initialize', 'the hub itself has initialised the agent')
  .describe('interrupt, set_model, set_permission_mode and the other requests of hosts');

export const controlTimeout = z.coerce
  .number<number>()
  .int()
  .min(1)
  .max(600_000)
  .describe('how long the agent may take to answer; a minute unless given');

import * as z from 'zod';
import { sessionId, time } from './values.ts';

export const storedConversation = z.object({
  id: z.string().describe("the agent's own id, to resume it by"),
  folder: z.string().nullable(),
  title: z.string(),
  branch: z.string().nullable().describe('the git branch that it was held on'),
  createdAt: time.nullable(),
  updatedAt: time,
  session: sessionId.nullable().describe('the session of the hub that has it'),
});

/** A conversation that an agent left on the hub's machine. */
export type StoredConversation = z.infer<typeof storedConversation>;

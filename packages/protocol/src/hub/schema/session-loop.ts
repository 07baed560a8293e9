import * as z from 'zod';

export const sessionLoop = z.object({ id: z.string(), iteration: z.number() });

/** The loop that a session belongs to, and which of its iterations it is. */
export type SessionLoop = z.infer<typeof sessionLoop>;

import * as z from 'zod';

export const author = z.union([
  z.object({
    by: z.enum(['agent', 'hub']),
    rule: z.string().exactOptional().describe('the rule of the hub that decided it'),
    ruleId: z.string().exactOptional(),
  }),
  z.object({
    by: z.literal('person'),
    name: z.string(),
    device: z.string(),
    deviceId: z.string().exactOptional().describe('not there in records of earlier versions'),
  }),
]);

/** Who wrote a line, or decided something. Names of devices repeat; records of earlier versions have no `deviceId`. */
export type Author = z.infer<typeof author>;

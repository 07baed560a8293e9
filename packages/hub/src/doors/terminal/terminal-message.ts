import * as z from 'zod';

const length = z.number().int().min(1).max(100_000);
const size = { cols: length, rows: length };
const offset = z.number().int().min(0);

/** What a viewer of a terminal may say in a text frame. */
export const terminalMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('attach'),
    at: z.strictObject({ epoch: z.string().max(100), offset }).exactOptional(),
    scrollback: z.number().int().min(0).max(1_000_000).exactOptional(),
    size: z.strictObject(size).exactOptional(),
  }),
  z.strictObject({ type: z.literal('resize'), ...size }),
  z.strictObject({ type: z.literal('ack'), offset }),
]);

/** One that was checked. */
export type CheckedTerminalMessage = z.output<typeof terminalMessage>;

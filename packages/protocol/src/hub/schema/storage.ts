import * as z from 'zod';
import { sessionId, time } from './values.ts';

const days = z.number().int().min(1).max(36_500);
const mebibytes = z.number().int().min(1);

/** What is taken away once it is old, or once there is too much; what is not named stays for good. */
export const retention = z
  .strictObject({
    eventDays: days.exactOptional().describe('entries of records'),
    promptDays: days.exactOptional().describe('prompts that were delivered or cancelled'),
    permissionDays: days.exactOptional().describe('requests that were answered, withdrawn or expired'),
    auditDays: days.exactOptional().describe('the audit log'),
    deviceDays: days.exactOptional().describe('devices that were signed out'),
    terminalDays: days.exactOptional().describe('terminals that have ended, with what they wrote'),
    databaseMiB: mebibytes
      .exactOptional()
      .describe('above it, records of the sessions that changed longest ago are trimmed'),
    archive: z.boolean().exactOptional().describe('false: entries are not written to a file before they go'),
  })
  .describe('limits of what is kept');

const dayChange = days.nullable().exactOptional();

/** Other limits than before. */
export const retentionChange = z
  .strictObject({
    eventDays: dayChange,
    promptDays: dayChange,
    permissionDays: dayChange,
    auditDays: dayChange,
    deviceDays: dayChange,
    terminalDays: dayChange,
    databaseMiB: mebibytes.nullable().exactOptional(),
    archive: z.boolean().nullable().exactOptional(),
  } satisfies Record<keyof z.infer<typeof retention>, z.ZodType>)
  .refine((change) => Object.keys(change).length > 0, 'say at least one limit')
  .describe('what is not named stays as it is; null takes a limit away');

export const sweepReport = z.object({
  at: time,
  isTrial: z.boolean().describe('nothing was taken away: `trimmed` is what the limits of age would trim'),
  trimmed: z.array(
    z.object({
      session: sessionId,
      from: z.number().int(),
      to: z.number().int(),
      archive: z.string().nullable().describe('the file that has these entries'),
    }),
  ),
  forgotten: z.object({
    prompts: z.number().int(),
    permissions: z.number().int(),
    audit: z.number().int(),
    devices: z.number().int(),
    terminals: z.number().int(),
  }),
  usedBytes: z.number().int(),
  isOverLimit: z.boolean().describe('there is nothing left that may go, and it is still too much'),
});

export const storage = z.object({
  fileBytes: z.number().int().describe('the files of the store, the search index included'),
  usedBytes: z.number().int().describe('what of the database is in use'),
  retention,
  lastSweep: sweepReport.nullable(),
});

export const sweepRequest = z.object({
  retention: retention.exactOptional().describe('these limits instead of those that are set'),
  trial: z.boolean().exactOptional().describe('take nothing away, only say what would be'),
});

export const storageChange = z.strictObject({ retention: retentionChange });

export type RetentionChange = z.infer<typeof retentionChange>;
export type RetentionLimits = z.infer<typeof retention>;
export type SweepReport = z.infer<typeof sweepReport>;
export type Storage = z.infer<typeof storage>;

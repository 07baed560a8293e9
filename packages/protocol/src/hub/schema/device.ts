import * as z from 'zod';
import { author } from './author.ts';
import { scope, sessionId, time, words } from './values.ts';

export const deviceKind = z.enum(['person', 'agent', 'terminal']);

export const device = z.object({
  id: z.string(),
  person: z.string(),
  name: z.string(),
  scope,
  session: sessionId.nullable().describe('good for this session only'),
  kind: deviceKind,
  createdAt: time,
  lastSeenAt: time.nullable(),
  revokedAt: time.nullable(),
  expiresAt: time.nullable().describe('its token is good until then'),
});

export const deviceGrant = z.strictObject({
  person: words,
  name: words.describe("the device's name"),
  scope,
  session: sessionId.nullable().default(null).describe('good for this session only'),
  expiresAt: time.nullable().default(null).describe('its token is good until then'),
});

export const linkGrant = deviceGrant.extend({
  person: words.exactOptional().describe('who asks, unless given'),
  name: words.exactOptional().describe("the device's name; browser, unless given"),
  scope: scope.exactOptional().describe('that of who asks, unless given'),
});

export const auditEntry = z.object({
  id: z.number(),
  time,
  session: z.string().nullable(),
  subject: z.string().nullable(),
  author,
  what: z.string(),
  why: z.string().nullable(),
});

export const signIn = z.strictObject({ link: z.string().min(1).max(1000).describe('the secret of a link') });

/** A decision in the audit log: who, when, about what and why. */
export type AuditEntry = z.infer<typeof auditEntry>;

/** A device as those see it who may sign others in. Times are milliseconds since 1970. */
export type KnownDevice = z.infer<typeof device>;

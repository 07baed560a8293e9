import { STATE_WORDS } from '@signalbox/protocol';
import { SESSION_STATES } from '@signalbox/protocol/hub';
import * as z from 'zod';
import { SCOPES } from '../store/device.ts';
import { MAX_PAGE_ITEMS } from '../store/page.ts';
import { MAX_WINDOW_ENTRIES } from '../store/record.ts';
import { SESSION_ID } from '../store/session.ts';

// What the API takes and gives. The same schemas check requests and describe them in /api/openapi.json.

const time = z.number().describe('milliseconds since 1970');
export const words = z.string().min(1).max(1000);

export const sessionId = z.string().regex(SESSION_ID).describe('letters, digits, ".", "_", ":" and "-"');

export const scope = z.enum(SCOPES).describe('each includes those before it');

export const author = z.union([
  z.object({ by: z.enum(['agent', 'hub']) }),
  z.object({
    by: z.literal('person'),
    name: z.string(),
    device: z.string(),
    deviceId: z.string().exactOptional().describe('not there in records of earlier versions'),
  }),
]);

export const viewer = z.object({ person: z.string(), device: z.string(), deviceId: z.string() });

const facts = {
  title: z.string().nullable(),
  folder: z.string().nullable(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  mode: z.string().nullable(),
};

export const session = z.object({
  id: sessionId,
  state: z
    .enum(SESSION_STATES)
    .describe(SESSION_STATES.map((name) => `${name}: ${STATE_WORDS[name].word}`).join('; ')),
  ...facts,
  exit: z
    .object({ code: z.number().nullable(), signal: z.string().nullable(), stderr: z.string() })
    .nullable(),
  problem: z
    .object({ code: z.enum(['no_credentials', 'turn_failed']), message: z.string() })
    .nullable()
    .describe('why the last turn of its agent did no work'),
  createdAt: time,
  updatedAt: time,
  unread: z
    .literal(true)
    .exactOptional()
    .describe('what is stored of it is damaged: only its id, its state and its times are known'),
});

export const newSession = z.strictObject({
  id: sessionId.exactOptional(),
  title: words.exactOptional(),
  folder: words.exactOptional(),
  agent: words.exactOptional(),
  model: words.exactOptional(),
  mode: words.exactOptional(),
});

export const content = z
  .union([z.string().min(1), z.array(z.looseObject({ type: z.string() })).min(1)])
  .describe('text, or content blocks with images');

export const delivery = z
  .enum(['queue', 'steer'])
  .describe('queue waits for its turn, steer goes into the turn that runs');

export const clientId = z
  .string()
  .min(1)
  .max(200)
  .refine((id) => !id.includes('\u0000') && Buffer.from(id).toString() === id, 'no store can keep this id')
  .describe('your own name for it: sent again, it is the same one');

export const prompt = z.object({
  id: z.string(),
  session: sessionId,
  clientId,
  author,
  content,
  delivery,
  state: z.enum(['waiting', 'taken', 'delivered', 'cancelled']),
  admittedAt: time,
});

export const permission = z.object({
  session: sessionId,
  requestId: z.string(),
  request: z.looseObject({}).describe("the agent's can_use_tool, elicitation or request_user_dialog request"),
  parent: z
    .object({
      agentId: z.string().nullable(),
      toolUseId: z.string().nullable(),
      agentType: z.string().nullable(),
      description: z.string().nullable(),
    })
    .nullable()
    .describe('the sub-agent that asks, and the tool call that started it'),
  state: z.enum(['open', 'answered', 'withdrawn', 'expired']),
  openedAt: time,
  closedAt: time.nullable(),
  answer: z
    .object({ author, response: z.looseObject({}), what: z.string(), why: z.string().nullable() })
    .nullable(),
  isDelivered: z.boolean(),
  unread: z
    .literal(true)
    .exactOptional()
    .describe('what is stored of it cannot be read: its request is empty'),
});

export const grant = z.strictObject({
  person: words,
  name: words.describe("the device's name"),
  scope,
  session: sessionId.nullable().default(null).describe('good for this session only'),
  expiresAt: time.nullable().default(null).describe('its token is good until then'),
});

export const linkGrant = grant.extend({
  person: words.exactOptional().describe('who asks, unless given'),
  name: words.exactOptional().describe("the device's name; browser, unless given"),
  scope: scope.exactOptional().describe('that of who asks, unless given'),
});

export const deviceKind = z.enum(['person', 'agent']);

export const device = z.object({
  id: z.string(),
  person: z.string(),
  name: z.string(),
  scope,
  session: sessionId.nullable(),
  kind: deviceKind,
  expiresAt: time.nullable(),
  createdAt: time,
  lastSeenAt: time.nullable(),
  revokedAt: time.nullable(),
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

export const entry = z.looseObject({
  type: z.literal('sdk-message'),
  session: sessionId,
  epoch: z.string(),
  seq: z.number(),
  time: time.exactOptional(),
  author: author.exactOptional().describe('not there when the agent said it'),
  message: z.unknown().describe('as it was written'),
  raw: z.string().exactOptional().describe('a line that is not JSON'),
  damaged: z.boolean().exactOptional(),
});

export const controlRequest = z
  .looseObject({ subtype: z.string() })
  .refine(({ subtype }) => subtype !== 'initialize', 'the hub itself has initialised the agent')
  .describe('interrupt, set_model, set_permission_mode and the other requests of hosts');

export const controlTimeout = z.coerce
  .number()
  .int()
  .min(1)
  .max(600_000)
  .describe('how long the agent may take to answer; a minute unless given');

/** A page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().exactOptional() });
}

export const pageQuery = {
  after: z.string().exactOptional().describe('the `next` of the page before'),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_ITEMS).exactOptional(),
};

export const signIn = z.strictObject({ link: z.string().min(1).max(1000).describe('the secret of a link') });

export const windowQuery = z
  .object({
    from: z.coerce.number().int().min(1).exactOptional(),
    before: z.coerce.number().int().min(1).exactOptional(),
    after_uuid: z
      .string()
      .min(1)
      .max(200)
      .exactOptional()
      .describe('what follows the message with this uuid'),
    limit: z.coerce.number().int().min(1).max(MAX_WINDOW_ENTRIES).exactOptional(),
  })
  .refine(
    ({ from, before, after_uuid: uuid }) =>
      [from, before, uuid].filter((bound) => bound !== undefined).length < 2,
    'a window has one bound: from, before or after_uuid',
  );

import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { DELIVERY_STATES, NOTICE_KINDS } from '../notice-kinds.ts';
import { author } from './author.ts';
import { sessionId, time, words } from './values.ts';

const kinds = z
  .array(z.enum(NOTICE_KINDS))
  .min(1)
  .max(NOTICE_KINDS.length)
  .describe('what it is called for: an agent asks, has finished, has failed, or nears its budget');

const url = z.string().min(1).max(LIMITS.noticeUrlLength.most);

export const noticeTarget = z.object({
  id: z.string(),
  type: z.enum(['webhook', 'ntfy', 'push']),
  name: z.string(),
  address: z.string().describe('where notices go; of a push subscription only the service that it is with'),
  kinds,
  session: sessionId.nullable().describe('only for this session, with which it goes; null for all'),
  mayAnswer: z.boolean().describe('its notices carry a right to answer the one question that they tell of'),
  allowsPrivate: z.boolean().describe('its address may be inside of the network'),
  author,
  device: z.string().nullable().describe('the device that a push subscription belongs to'),
  createdAt: time,
  retired: z
    .object({ at: time, why: z.string() })
    .nullable()
    .describe('it is gone, and gets nothing any more'),
});

const shared = {
  name: words.exactOptional(),
  kinds: kinds.exactOptional().describe('all unless told otherwise'),
  session: sessionId.exactOptional(),
};

const inside = {
  mayAnswer: z
    .boolean()
    .exactOptional()
    .describe('whoever reads its notices may answer; not unless told otherwise'),
  allowsPrivate: z
    .boolean()
    .exactOptional()
    .describe('loopback and private addresses too; not unless told otherwise'),
};

export const newNoticeTarget = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('webhook'), url, ...shared, ...inside }),
  z.strictObject({
    type: z.literal('ntfy'),
    url: url.describe('server and topic: https://ntfy.sh/topic'),
    token: z
      .string()
      .regex(/^[!-~]{1,1000}$/)
      .exactOptional()
      .describe('an access token of the ntfy server'),
    ...shared,
    ...inside,
  }),
]);

export const newPushSubscription = z.strictObject({
  endpoint: url,
  keys: z.strictObject({ p256dh: z.string().min(1).max(200), auth: z.string().min(1).max(100) }),
  allowsPrivate: z.boolean().exactOptional().describe('takes `admin`'),
  ...shared,
});

const noticeDelivery = z.object({
  id: z.string(),
  target: z.string(),
  targetName: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  outcome: z.string().nullable().describe('what came of the last attempt'),
  changedAt: time,
  nextAt: time.nullable().describe('when it is tried again'),
});

export const notice = z.object({
  id: z.string(),
  kind: z.enum([...NOTICE_KINDS, 'test']),
  session: sessionId.nullable(),
  requestId: z.string().nullable().describe('what was asked'),
  title: z.string(),
  body: z.string(),
  createdAt: time,
  deliveries: z.array(noticeDelivery),
});

const capability = z
  .string()
  .min(1)
  .max(LIMITS.capabilityLength.most)
  .describe('what came with the notice, behind the # of its link');

export const noticeLook = z.strictObject({ capability });

export const noticeAnswer = z.strictObject({
  capability,
  behavior: z.enum(['allow', 'deny']),
  message: z.string().max(2000).exactOptional().describe('why it is denied, for the agent'),
});

export const noticeQuestion = z.object({
  session: sessionId,
  title: z.string(),
  toolName: z.string(),
  text: z.string().describe('what it is about, in short'),
  input: z.string().describe('the whole input of the tool, as JSON'),
  expiresAt: time,
});

export const noticeAnswered = z.object({
  session: sessionId,
  requestId: z.string(),
  behavior: z.enum(['allow', 'deny']),
});

/** Where notices go. */
export type NoticeTarget = z.infer<typeof noticeTarget>;

/** A webhook or an ntfy topic on its way into the hub. */
export type NewNoticeTarget = z.infer<typeof newNoticeTarget>;

/** What a browser's push manager gave. */
export type NewPushSubscription = z.infer<typeof newPushSubscription>;

/** A notice, and what became of it at each target. */
export type Notice = z.infer<typeof notice>;

/** What the right of a notice would allow. */
export type NoticeQuestion = z.infer<typeof noticeQuestion>;

import * as z from 'zod';
import { PERMISSION_MODES } from '../../schema/permission-mode.ts';
import { author } from './author.ts';
import { anyObject, sessionId, time } from './values.ts';

const permissionAnswer = z.object({
  author,
  response: anyObject.describe('what the agent is told'),
  what: z.string().describe('what is kept of it in the audit log, for example `allow`'),
  why: z.string().nullable(),
});

const askParent = z.object({
  agentId: z.string().nullable(),
  toolUseId: z.string().nullable().describe('the tool call that started it'),
  agentType: z.string().nullable(),
  description: z.string().nullable().describe('what it was given to do'),
});

export const permission = z.object({
  session: sessionId,
  requestId: z.string().describe('as the agent named it; one of its kind in a session'),
  request: anyObject.describe("the agent's can_use_tool, elicitation or request_user_dialog request"),
  parent: askParent
    .nullable()
    .describe("the sub-agent that asks; null when it is the session's own agent that asks"),
  state: z
    .enum(['open', 'answered', 'withdrawn', 'expired'])
    .describe('withdrawn: the agent does not ask any more; expired: nobody is left who asks'),
  openedAt: time,
  closedAt: time.nullable(),
  answer: permissionAnswer.nullable(),
  isDelivered: z.boolean().describe('whether the agent has got the answer'),
  unread: z
    .literal(true)
    .exactOptional()
    .describe('what is stored of it cannot be read: its request is empty'),
});

const why = z.string().max(10_000).exactOptional().describe('kept in the audit log');

export const personAnswer = z.discriminatedUnion('behavior', [
  z.strictObject({
    behavior: z.literal('allow'),
    updatedInput: anyObject.exactOptional().describe('another input than the one asked about'),
    updatedPermissions: z.array(anyObject).exactOptional().describe('rules to keep'),
    answers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .exactOptional()
      .describe('for AskUserQuestion: the labels chosen, by the text of the question'),
    other: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe('for AskUserQuestion: words of your own, by the text of the question'),
    mode: z
      .enum(PERMISSION_MODES)
      .exactOptional()
      .describe('for ExitPlanMode: the permission mode to go on in'),
    content: anyObject.exactOptional().describe('for a form of an MCP server: its fields'),
    result: z.unknown().exactOptional().describe('for a dialog: what it came to'),
    why,
  }),
  z.strictObject({
    behavior: z.literal('deny'),
    message: z.string().exactOptional().describe('what the agent is told'),
    interrupt: z.boolean().exactOptional().describe('end the turn as well'),
    dismissed: z.boolean().exactOptional().describe('for a form of an MCP server: closed without a decision'),
    why,
  }),
]);

/** A decision about a permission request. */
export type PermissionAnswer = z.infer<typeof permissionAnswer>;

/** The sub-agent that asks; null is what nobody said. */
export type AskParent = z.infer<typeof askParent>;

/** Something that an agent asks a person. */
export type PermissionRequest = z.infer<typeof permission>;

/** `withdrawn`: the agent does not ask any more. `expired`: nobody is left who asks. */
export type PermissionState = PermissionRequest['state'];

/** What a person says to a request: to a permission, a question, a plan, a form of an MCP server or a dialog. */
export type PersonAnswer = z.infer<typeof personAnswer>;

import { LIMITS } from '@signalbox/protocol';
import { SESSION_STATES } from '@signalbox/protocol/hub';
import * as z from 'zod';
import { personAnswer } from '../asks/person-answer.ts';
import { encodeEntryList } from '../live/stream-message.ts';
import type { Desk } from './desk.ts';
import { deviceRoutes } from './device-routes.ts';
import { JSONL, nothing, type Route, route } from './route.ts';
import * as schema from './schemas.ts';
import { viewerRoutes } from './viewer-routes.ts';

const inSession = z.object({ session: schema.sessionId });
const ofPrompt = inSession.extend({ prompt: z.string() });
const ofPermission = inSession.extend({ request: z.string() });

/** Everything under /api that needs a token; `url` is where people find the hub. */
export function routesOf(desk: Desk, url: string): Route[] {
  return [
    ...sessionRoutes(desk),
    ...promptRoutes(desk),
    ...askRoutes(desk),
    ...deviceRoutes(desk, url),
    ...viewerRoutes(desk),
  ];
}

function sessionRoutes(desk: Desk): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/sessions',
      isLong: true,
      summary: 'The sessions, newest first',
      scope: 'watch',
      params: nothing,
      query: z.object({ ...schema.pageQuery, state: z.enum(SESSION_STATES).exactOptional() }),
      body: nothing,
      status: 200,
      answer: schema.pageOf(schema.session),
      handle: ({ device, query: { state, ...page } }) =>
        desk.listSessions(device, { ...page, ...(state ? { states: [state] } : {}) }),
    }),
    route({
      method: 'get',
      path: '/api/sessions/{session}',
      summary: 'What is known about a session',
      scope: 'watch',
      params: inSession,
      query: nothing,
      body: nothing,
      status: 200,
      answer: schema.session,
      handle: ({ device, params }) => desk.session(device, params.session),
    }),
    route({
      method: 'patch',
      path: '/api/sessions/{session}',
      summary: 'Give a session another title',
      scope: 'drive',
      params: inSession,
      query: nothing,
      body: z.strictObject({ title: schema.words }),
      status: 200,
      answer: schema.session,
      handle: ({ device, params, body }) => desk.rename(device, params.session, body.title),
    }),
    route({
      method: 'get',
      path: '/api/sessions/{session}/events',
      isLong: true,
      summary: 'A window of the record: its tail, or from a number on, or before a number',
      scope: 'watch',
      params: inSession,
      query: schema.windowQuery,
      body: nothing,
      status: 200,
      answer: z.object({ epoch: z.string(), last: z.number(), entries: z.array(schema.entry) }),
      handle: async ({ device, params: { session }, query }) => {
        const { epoch, last, entries } = await desk.events(device, session, query);
        const start = Buffer.from(`{"epoch":"${epoch}","last":${last},"entries":`);
        return Buffer.concat([start, encodeEntryList(session, epoch, entries), Buffer.from('}')]);
      },
    }),
    route({
      method: 'get',
      path: '/api/sessions/{session}/transcript',
      summary: 'The conversation as JSONL, in the form that agents resume from',
      scope: 'watch',
      params: inSession,
      query: nothing,
      body: nothing,
      status: 200,
      gives: JSONL,
      answer: z.string(),
      handle: ({ device, params }) => desk.transcript(device, params.session),
    }),
    route({
      method: 'post',
      path: '/api/sessions/{session}/control',
      summary: 'Ask the agent something; answered with what it says',
      scope: 'drive',
      params: inSession,
      query: z.object({ timeoutMs: schema.controlTimeout.exactOptional() }),
      body: schema.controlRequest,
      status: 200,
      answer: z.looseObject({}),
      handle: ({ device, params, query, body }) => desk.control(device, params.session, body, query),
    }),
  ];
}

function promptRoutes(desk: Desk): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/sessions/{session}/prompts',
      isLong: true,
      summary: 'Prompts that have not arrived at the agent, in their order',
      scope: 'watch',
      params: inSession,
      query: nothing,
      body: nothing,
      status: 200,
      answer: z.object({ items: z.array(schema.prompt) }),
      handle: async ({ device, params }) => ({ items: await desk.prompts(device, params.session) }),
    }),
    route({
      method: 'post',
      path: '/api/sessions/{session}/prompts',
      size: LIMITS.bodyBytes,
      summary: 'Admit a prompt; it is durable when this answers',
      scope: 'drive',
      params: inSession,
      query: nothing,
      body: z.strictObject({
        clientId: schema.clientId,
        content: schema.content,
        delivery: schema.delivery.default('queue'),
      }),
      status: 201,
      answer: schema.prompt,
      isRepeatable: true,
      handle: ({ device, params, body }) => desk.prompt(device, params.session, body),
    }),
    route({
      method: 'patch',
      path: '/api/sessions/{session}/prompts/{prompt}',
      size: LIMITS.bodyBytes,
      summary: 'Change a prompt that still waits',
      scope: 'drive',
      params: ofPrompt,
      query: nothing,
      body: z.strictObject({
        content: schema.content.exactOptional(),
        delivery: schema.delivery.exactOptional(),
      }),
      status: 200,
      answer: schema.prompt,
      handle: ({ device, params: { session, prompt }, body }) =>
        desk.editPrompt(device, session, prompt, body),
    }),
    route({
      method: 'delete',
      path: '/api/sessions/{session}/prompts/{prompt}',
      summary: 'Cancel a prompt that still waits',
      scope: 'drive',
      params: ofPrompt,
      query: nothing,
      body: nothing,
      status: 200,
      answer: schema.prompt,
      handle: ({ device, params: { session, prompt } }) => desk.cancelPrompt(device, session, prompt),
    }),
  ];
}

function askRoutes(desk: Desk): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/permissions',
      isLong: true,
      summary: 'What agents ask and nobody has answered, oldest first',
      scope: 'watch',
      params: nothing,
      query: z.object({ ...schema.pageQuery, session: schema.sessionId.exactOptional() }),
      body: nothing,
      status: 200,
      answer: schema.pageOf(schema.permission),
      handle: ({ device, query }) => desk.openPermissions(device, query),
    }),
    route({
      method: 'post',
      path: '/api/sessions/{session}/permissions/{request}/answer',
      size: LIMITS.answerBytes,
      summary: 'Allow or deny; the first answer wins, and whoever comes later gets it back',
      scope: 'approve',
      params: ofPermission,
      query: nothing,
      body: personAnswer,
      status: 200,
      answer: z.object({ permission: schema.permission, isFirst: z.boolean() }),
      isRepeatable: true,
      handle: ({ device, params: { session, request }, body }) => desk.answer(device, session, request, body),
    }),
  ];
}

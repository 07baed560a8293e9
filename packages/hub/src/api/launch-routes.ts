import { isPermissionMode, LIMITS } from '@signalbox/protocol';
import * as z from 'zod';
import type { LaunchDesk } from '../launch/launch-desk.ts';
import type { Desk } from './desk.ts';
import { nothing, type Route, route } from './route.ts';
import * as schema from './schemas.ts';

const inSession = z.object({ session: schema.sessionId });
const word = z.string().max(100_000);
const words = z.array(word).max(1000);
const tools = z.array(z.string().min(1).max(1000)).max(1000);

/** What a custom command is not given: nobody knows how it takes it. */
const OF_KNOWN_AGENTS = [
  'model',
  'mode',
  'tools',
  'allowedTools',
  'disallowedTools',
  'resume',
  'fork',
] as const;

const launchSpec = z
  .strictObject({
    agent: z
      .enum(['claude', 'signalbox-agent', 'scripted', 'custom'])
      .describe('scripted is signalbox-agent on the built-in model; custom runs `command` as it is'),
    command: words.min(1).exactOptional(),
    args: words.exactOptional().describe("more words for the agent's command line"),
    folder: z
      .string()
      .min(1)
      .max(4096)
      .describe('where it works: an absolute path, or one from ~, the home of whoever runs the hub'),
    model: z.string().min(1).max(200).exactOptional(),
    mode: z.string().refine(isPermissionMode, 'no permission mode').exactOptional(),
    tools: tools.exactOptional(),
    allowedTools: tools.exactOptional(),
    disallowedTools: tools.exactOptional(),
    resume: schema.sessionId.exactOptional().describe("a session of the hub, or an agent's own"),
    fork: z.boolean().exactOptional().describe('go on with a copy of it'),
    prompt: z.string().min(1).exactOptional().describe('the first prompt'),
    env: z.record(z.string().regex(/^[^=\0]+$/), word).exactOptional(),
  })
  .refine(
    ({ agent, command }) => (agent === 'custom') === (command !== undefined),
    'a custom agent takes a command, and no other does',
  )
  .refine(
    (spec) => spec.agent !== 'custom' || OF_KNOWN_AGENTS.every((name) => spec[name] === undefined),
    'a custom agent is run as it is: put its options into the command',
  )
  .refine(({ fork, resume }) => !fork || resume !== undefined, 'only what is resumed can be forked')
  .describe('takes the scope admin for custom, args, env and the mode bypassPermissions');

const agent = z.object({
  name: z.string(),
  title: z.string(),
  path: z.string().nullable(),
  version: z.string().nullable(),
  isAvailable: z.boolean(),
  why: z.string().nullable().describe('why it is not available'),
});

/** How sessions are made, and the agents of this machine run and ended. */
export function launchRoutes(desk: Desk, launches: LaunchDesk): Route[] {
  return [
    route({
      method: 'post',
      path: '/api/sessions',
      size: LIMITS.bodyBytes,
      summary:
        'A place for an agent with the token and path to dial in by; with `launch`, an agent that runs',
      scope: 'drive',
      params: nothing,
      query: nothing,
      body: schema.newSession.extend({ launch: launchSpec.exactOptional() }),
      status: 201,
      answer: z.object({
        session: schema.session,
        token: z.string().exactOptional(),
        path: z.string().exactOptional(),
      }),
      isRepeatable: true,
      handle: async ({ device, body: { launch, ...body }, attempt }) => {
        const place = { ...(attempt ? { id: attempt.made } : {}), ...body };
        const begunAt = attempt?.begunAt;
        if (launch) return { session: await launches.create(device, { ...place, launch }, begunAt) };
        const { session, token } = await desk.createSession(device, place, begunAt);
        return { session, token, path: `/ws/${session.id}` };
      },
    }),
    route({
      method: 'get',
      path: '/api/agents',
      summary: 'The agents that can be launched on this machine',
      scope: 'watch',
      params: nothing,
      query: nothing,
      body: nothing,
      status: 200,
      answer: z.object({
        items: z.array(agent),
        dialIn: z.string().exactOptional().describe('what is typed on this machine to let an agent dial in'),
      }),
      handle: async ({ device }) => launches.agents(device),
    }),
    route({
      method: 'post',
      path: '/api/sessions/{session}/stop',
      summary: 'End the agent and all that it started; answers when it is gone',
      scope: 'drive',
      params: inSession,
      query: nothing,
      body: nothing,
      status: 200,
      answer: schema.session,
      isRepeatable: true,
      handle: ({ device, params }) => launches.stop(device, params.session),
    }),
    route({
      method: 'post',
      path: '/api/sessions/{session}/restart',
      summary: 'Launch the agent again as it was, with the conversation that it had',
      scope: 'drive',
      params: inSession,
      query: nothing,
      body: nothing,
      status: 200,
      answer: schema.session,
      handle: ({ device, params }) => launches.restart(device, params.session),
    }),
  ];
}

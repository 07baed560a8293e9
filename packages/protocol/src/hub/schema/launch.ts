import * as z from 'zod';
import { isPermissionMode } from '../../schema/permission-mode.ts';
import { AGENT_NAME } from '../agent-name.ts';
import { profileName } from './profile.ts';
import { session, sessionPlace } from './session.ts';
import { sessionId } from './values.ts';
import { newWorktree } from './worktree.ts';

const word = z.string().max(100_000);
const wordList = z.array(word).max(1000);
const toolNames = z.array(z.string().min(1).max(1000)).max(1000);

/** What a custom command is not given: nobody knows how it takes it. */
const OF_KNOWN_AGENTS = [
  'model',
  'mode',
  'tools',
  'allowedTools',
  'disallowedTools',
  'resume',
  'fork',
  'before',
  'after',
] as const;

export const launchSpec = z
  .strictObject({
    agent: z
      .string()
      .regex(AGENT_NAME, 'no name of an agent')
      .describe(
        'claude, signalbox-agent, scripted (signalbox-agent on the built-in model), custom (runs `command` as it is), or one that config.json of the hub defines',
      ),
    command: wordList.min(1).exactOptional(),
    args: wordList.exactOptional().describe("more words for the agent's command line"),
    folder: z
      .string()
      .min(1)
      .max(4096)
      .describe('where it works: an absolute path, or one from ~, the home of whoever runs the hub'),
    model: z.string().min(1).max(200).exactOptional(),
    mode: z
      .string()
      .refine((mode): boolean => isPermissionMode(mode), 'no permission mode')
      .exactOptional()
      .describe('the permission mode'),
    tools: toolNames.exactOptional(),
    allowedTools: toolNames.exactOptional(),
    disallowedTools: toolNames.exactOptional(),
    resume: sessionId.exactOptional().describe("a session of the hub, or an agent's own, to go on with"),
    fork: z.boolean().exactOptional().describe('go on with a copy of it'),
    before: z
      .int()
      .min(1)
      .exactOptional()
      .describe(
        'with `resume` of a session of the hub, and `fork`: only what was said before this prompt, by the number of its entry',
      ),
    after: z.int().min(1).exactOptional().describe('the same, up to and with this reply of the agent'),
    prompt: z.string().min(1).exactOptional().describe('the first prompt'),
    worktree: newWorktree
      .exactOptional()
      .describe('it works in a working tree of its own, made for it of the repository that `folder` is in'),
    restart: z
      .enum(['never', 'on-failure', 'always'])
      .exactOptional()
      .describe(
        'start it again when it has ended by itself; never one that somebody ended. never unless given',
      ),
    restartLimit: z
      .number()
      .int()
      .min(1)
      .max(100)
      .exactOptional()
      .describe('how often in a row; 5 unless given'),
    profile: profileName
      .exactOptional()
      .describe('variables that the hub keeps under this name; read anew whenever the agent is started'),
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
  .refine(
    ({ restart = 'never', restartLimit }) => restartLimit === undefined || restart !== 'never',
    'a limit of restarts is for an agent that is restarted',
  )
  .refine(({ fork, resume }) => !fork || resume !== undefined, 'only what is resumed can be forked')
  .refine(
    ({ fork, before, after }) => fork || (before === undefined && after === undefined),
    'only a copy can leave out what was said',
  )
  .refine(({ before, after }) => before === undefined || after === undefined, 'before or after, and not both')
  .describe('takes the scope admin for custom, args, env and the mode bypassPermissions');

export const newSession = sessionPlace.extend({ launch: launchSpec.exactOptional() });

export const createdSession = z.object({
  session,
  token: z.string().exactOptional(),
  path: z.string().exactOptional(),
});

const launchableAgent = z.object({
  name: launchSpec.shape.agent,
  title: z.string(),
  path: z.string().nullable(),
  version: z.string().nullable(),
  isAvailable: z.boolean(),
  view: z
    .enum(['sdk', 'terminal'])
    .describe('how people work with it: terminal is for one that has only its own screen'),
  why: z.string().nullable().describe('why it cannot be started'),
});

export const launchableAgents = z.object({
  items: z.array(launchableAgent),
  dialIn: z.string().exactOptional().describe('what is typed on this machine to let an agent dial in'),
});

/** What a hub is asked to start on its own machine. */
export type LaunchSpec = z.infer<typeof launchSpec>;

/** A place for an agent, or an agent that the hub starts itself. */
export type NewSession = z.infer<typeof newSession>;

/** A session that was made; `token` and `path` are for an agent that dials in by itself. */
export type CreatedSession = z.infer<typeof createdSession>;

/** An agent that a hub could start. */
export type LaunchableAgent = z.infer<typeof launchableAgent>;

/** The agents that a hub could start, and what is typed on its machine to let one dial in. */
export type LaunchableAgents = z.infer<typeof launchableAgents>;

import * as z from 'zod';
import { AGENT_NAME, OWN_AGENTS } from '../agent-name.ts';

const TAKES_TITLE = 'takes a text of up to 100 characters';
const TAKES_WORDS = 'takes a list of words, the program first: ["claude", "--verbose"]';
const TAKES_TEXTS = 'takes an object of texts, by the names of variables';

/** A name in PATH, or a path that leads to the same program wherever the hub was started. */
const PROGRAM = /^(?:[^/\\]+|(?:~\/|\/|[a-z]:[\\/]|\\\\).+)$/i;

const isWhole = (text: string): boolean => !text.includes('\0');

const title = z
  .string({ error: TAKES_TITLE })
  .max(100, TAKES_TITLE)
  .refine((text) => text.trim() !== '' && !/\p{Cc}/u.test(text), TAKES_TITLE);

const command = z
  .array(z.string({ error: TAKES_WORDS }).refine(isWhole, TAKES_WORDS), { error: TAKES_WORDS })
  .min(1, TAKES_WORDS)
  .refine(([program]) => program !== '', TAKES_WORDS)
  .refine(
    ([program = '']) => program === '' || PROGRAM.test(program),
    'begins with a name in PATH, an absolute path, or one from ~',
  );

const mode = z
  .enum(['sdk', 'terminal'], { error: 'takes "sdk" or "terminal"' })
  .describe('sdk: it speaks the protocol; terminal: it has nothing but its own screen');

const variable = z.string().regex(/^[^=\0]+$/);
const value = z.string({ error: TAKES_TEXTS }).refine(isWhole, TAKES_TEXTS);

export const agentDefinitionName = z
  .string()
  .regex(AGENT_NAME, 'has up to 64 letters, digits, dots, dashes and underlines')
  .refine(
    (name) => !OWN_AGENTS.some((own) => own === name.toLowerCase()),
    'is the name of an agent that Signalbox brings: give yours another one',
  );

/** An agent as `config.json` has it. No message of it repeats a value: variables are secrets, often. */
export const agentInConfig = z.strictObject({
  title: title.exactOptional(),
  command,
  mode: mode.exactOptional(),
  env: z.record(variable, value, { error: TAKES_TEXTS }).exactOptional(),
});

export const agentDefinition = z.object({
  name: agentDefinitionName,
  title: z.string(),
  command: z.array(z.string()),
  mode,
  variables: z.array(z.string()).describe('their names; nobody is given their values'),
  why: z.string().nullable().describe('why it cannot be started now'),
});

export const agentDefinitionChange = agentInConfig
  .extend({
    name: agentDefinitionName,
    env: z
      .record(variable, value.nullable(), { error: TAKES_TEXTS })
      .exactOptional()
      .describe('each in the place of what it was; null takes one away, all others stay'),
  })
  .describe('all but its variables is replaced');

/** An agent that `config.json` of a hub defines. Nobody is given the values of its variables. */
export type AgentDefinition = z.infer<typeof agentDefinition>;

/** What an agent of a hub is to be from now on. */
export type AgentDefinitionChange = z.infer<typeof agentDefinitionChange>;

/** What `config.json` has of an agent. */
export type AgentInConfig = z.infer<typeof agentInConfig>;

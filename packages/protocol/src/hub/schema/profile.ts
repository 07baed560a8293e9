import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { AGENT_NAME } from '../agent-name.ts';
import { time } from './values.ts';

export const profileName = z
  .string()
  .regex(
    AGENT_NAME,
    'the name of a profile has letters, digits, ".", "_" and "-", and begins with a letter or digit',
  );

/** What a variable can be called; those of the hub and of what is between it and an agent are its own. */
const variableName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable has letters, digits and "_", and begins with no digit')
  .refine((name) => !/^SIGNALBOX_/i.test(name), 'variables that begin with SIGNALBOX_ are the hub’s own');

const value = z
  .string()
  .max(LIMITS.profileBytes.most)
  .refine((text) => !text.includes('\u0000'), 'no variable can hold a NUL');

export const profile = z.object({
  name: profileName,
  variables: z.array(z.string()).describe('their names; nobody is given their values'),
  updatedAt: time,
});

export const profileChange = z.strictObject({
  name: profileName,
  variables: z
    .record(variableName, value.nullable())
    .describe('each in the place of what it was; null takes one away, all others stay'),
});

/** Variables for agents, kept under a name. Nobody is given their values. */
export type Profile = z.infer<typeof profile>;

/** What is to be kept of a profile. */
export type ProfileChange = z.infer<typeof profileChange>;

import { oneOf } from './one-of.ts';
import { permissionMode } from './permission-mode.ts';
import {
  choice,
  expected,
  type Inbound,
  list,
  literal,
  type Outbound,
  object,
  optional,
  text,
} from './wire.ts';

/** Where a permission update is kept. */
export const PERMISSION_DESTINATIONS = [
  'userSettings',
  'projectSettings',
  'localSettings',
  'session',
  'cliArg',
] as const;

/** One of {@link PERMISSION_DESTINATIONS}. */
export type PermissionDestination = (typeof PERMISSION_DESTINATIONS)[number];

const PERMISSION_BEHAVIORS = ['allow', 'deny', 'ask'] as const;

/** What a rule does with the calls that it matches. */
export type PermissionBehavior = (typeof PERMISSION_BEHAVIORS)[number];

const permissionRule = object({ toolName: text, ruleContent: optional(text) });
const destination = expected(choice(PERMISSION_DESTINATIONS));

function ruleUpdate<const T extends string>(type: T) {
  return object({
    type: literal(type),
    rules: list(permissionRule),
    behavior: expected(choice(PERMISSION_BEHAVIORS)),
    destination,
  });
}

function directoryUpdate<const T extends string>(type: T) {
  return object({ type: literal(type), directories: list(text), destination });
}

export const permissionUpdate = oneOf('type', {
  addRules: ruleUpdate('addRules'),
  replaceRules: ruleUpdate('replaceRules'),
  removeRules: ruleUpdate('removeRules'),
  setMode: object({ type: literal('setMode'), mode: permissionMode, destination }),
  addDirectories: directoryUpdate('addDirectories'),
  removeDirectories: directoryUpdate('removeDirectories'),
});

/** A tool, and which of its calls. */
export type PermissionRule = Outbound<typeof permissionRule>;

/** A change of rules, mode or directories, as a peer suggests or orders it. */
export type PermissionUpdate = Inbound<typeof permissionUpdate>;

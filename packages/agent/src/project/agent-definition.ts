import { isPermissionMode, type JsonObject, type PermissionMode } from '@signalbox/protocol';
import type { Fields } from './fields.ts';

/** Where sub-agents come from, from the one that yields to the one that holds. */
export const AGENT_SOURCES = ['built-in', 'plugin', 'user', 'project', 'flag', 'host'] as const;

export type AgentSource = (typeof AGENT_SOURCES)[number];

/** A sub-agent: what it is for, what it is told, and what it may use. */
export interface AgentDefinition {
  readonly name: string;
  /** When to hand it work. */
  readonly description: string;
  /** Its system prompt. */
  readonly prompt: string;
  /** The tools it has; undefined means those of the session. */
  readonly tools?: readonly string[] | undefined;
  readonly disallowedTools?: readonly string[] | undefined;
  /** A model's name, or `inherit`. */
  readonly model?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly maxTurns?: number | undefined;
  /** Skills that it knows from the start. */
  readonly skills?: readonly string[] | undefined;
  /** Names of servers that are there, or servers of its own by name. */
  readonly mcpServers?: readonly (string | JsonObject)[] | undefined;
  readonly background?: boolean | undefined;
  readonly color?: string | undefined;
  readonly source: AgentSource;
}

/** Where a definition comes from. */
export interface AgentOrigin extends Pick<AgentDefinition, 'name' | 'prompt' | 'source'> {
  /** Whether it may have servers started and permissions loosened for it. */
  readonly isTrusted: boolean;
}

/** A definition from its fields. Throws `ProjectFileError` when one is missing or not what it has to be. */
export function agentOf(fields: Fields, { name, prompt, source, isTrusted }: AgentOrigin): AgentDefinition {
  const description = fields.text('description');
  if (description === undefined) throw fields.wrong('description', 'there: it says when to hand it work');
  const permissionMode = modeOf(fields, source);
  return {
    name,
    description,
    prompt,
    source,
    tools: toolsOf(fields),
    disallowedTools: fields.list('disallowedTools'),
    model: fields.text('model'),
    permissionMode: isTrusted || permissionMode === 'plan' ? permissionMode : undefined,
    maxTurns: fields.count('maxTurns'),
    skills: fields.list('skills'),
    mcpServers: isTrusted ? serversOf(fields) : undefined,
    background: fields.flag('background'),
    color: fields.text('color'),
  };
}

/** Throws when a name could be taken for a flag, or for that of a plugin. */
export function checkAgentName(fields: Fields, name: string): void {
  if (!/^[^-:\s][^:]*$/.test(name))
    throw fields.wrong('name', 'without a colon, and without - at its beginning');
}

function toolsOf(fields: Fields): string[] | undefined {
  const tools = fields.list('tools');
  return tools?.includes('*') ? undefined : tools;
}

function modeOf(fields: Fields, source: AgentSource): PermissionMode | undefined {
  const mode = fields.text('permissionMode');
  if (mode === undefined || mode === 'manual') return mode && 'default';
  if (!isPermissionMode(mode)) throw fields.wrong('permissionMode', 'a permission mode');
  const isFile = source === 'user' || source === 'project';
  // A file must not switch permissions off, as little as a settings file may.
  if (isFile && mode === 'bypassPermissions')
    throw fields.wrong('permissionMode', 'one that a file may choose');
  return mode;
}

function serversOf(fields: Fields): (string | JsonObject)[] | undefined {
  const value = fields.get('mcpServers');
  if (value === undefined) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((server) => {
    if (typeof server === 'string') return server;
    if (typeof server === 'object' && server !== null) return { ...server };
    throw fields.wrong('mcpServers', 'a list of names or servers');
  });
}

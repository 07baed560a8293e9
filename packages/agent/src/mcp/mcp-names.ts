import { createHash } from 'node:crypto';

/** The longest tool name that the Messages API takes. */
export const MAX_TOOL_NAME_CHARS = 128;

/** The longest part of a name that a server gets. */
const MAX_SERVER_NAME_CHARS = 64;

/**
 * A server's name as a part of tool names. Never has `__` in it or `_` at its end: a rule for the server `a` must not
 * cover the tools of a server that calls itself `a__b` or `a_`.
 */
export function safeServerName(server: string): string {
  const safe = server.replaceAll(/[^a-zA-Z0-9-]+/g, '_').replaceAll(/^_+|_+$/g, '');
  return shortened(safe || `server_${fingerprint(server)}`, MAX_SERVER_NAME_CHARS);
}

/** The name by which a model or a person calls something of a server; `taken` ones are avoided. */
export function mcpName(server: string, own: string, taken: { has(name: string): boolean }): string {
  const safe = `mcp__${safeServerName(server)}__${own.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`;
  const name = shortened(safe, MAX_TOOL_NAME_CHARS);
  return taken.has(name) ? shortened(`${safe}_${fingerprint(own)}`, MAX_TOOL_NAME_CHARS, own) : name;
}

/** The name that `claude` has for the tool of a server: a rule that denies it was written for that name. */
export function mcpRuleName(server: string, own: string): string {
  return `mcp__${server.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}__${own.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`;
}

/** Cut names end in a fingerprint of the whole, so that two of them stay two. */
function shortened(name: string, maxChars: number, whole = name): string {
  return name.length <= maxChars ? name : `${name.slice(0, maxChars - 9)}_${fingerprint(whole)}`;
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

import { PROTOCOL_VERSION } from '../base/version.ts';
import { type SessionCore, stamp } from '../loop/session-core.ts';
import type { SessionKit } from '../loop/session-kit.ts';
import type { Thread } from '../loop/thread.ts';

/** What a host is told at the start of every turn. */
export function initMessage(
  core: SessionCore,
  thread: Thread,
  kit: SessionKit,
  commands: readonly { name: string }[],
) {
  return {
    type: 'system' as const,
    subtype: 'init' as const,
    cwd: thread.toolSession.cwd,
    ...stamp(core),
    tools: thread.tools().map(({ name }) => name),
    mcp_servers: kit.mcp.statuses().map(({ name, status }) => ({ name, status })),
    model: thread.modelName,
    permissionMode: core.permissions.mode,
    slash_commands: commands.map(({ name }) => name),
    apiKeySource: core.model.keySource,
    claude_code_version: PROTOCOL_VERSION,
    output_style: kit.outputStyle.name,
    agents: kit.agents.list().map(({ name }) => name),
    skills: kit.catalog.list().flatMap(({ kind, name }) => (kind === 'skill' ? [name] : [])),
    plugins: kit.plugins.map(({ name, root }) => ({ name, path: root })),
  };
}

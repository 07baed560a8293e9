import { PROTOCOL_VERSION } from '../base/version.ts';
import type { Extensions } from '../loop/extensions.ts';
import { type SessionCore, stamp } from '../loop/session-core.ts';
import type { Thread } from '../loop/thread.ts';

/** What hosts can rely on, by the protocol's names: an interrupt says which prompts still wait, and can take them back. */
const CAPABILITIES = ['interrupt_receipt_v1', 'interrupt_cancel_queued_v1'] as const;

/** What a host is told at the start of every turn. */
export function initMessage(
  core: SessionCore,
  thread: Thread,
  extensions: Extensions,
  commands: readonly { name: string }[],
) {
  return {
    type: 'system' as const,
    subtype: 'init' as const,
    cwd: thread.toolSession.cwd,
    original_cwd: thread.toolSession.originalCwd,
    additional_directories: [...core.permissions.directories],
    ...stamp(core),
    tools: thread.tools().map(({ name }) => name),
    mcp_servers: extensions.mcp.statuses().map(({ name, status }) => ({ name, status })),
    model: thread.modelName,
    permissionMode: core.permissions.mode,
    slash_commands: commands.map(({ name }) => name),
    apiKeySource: core.model.keySource,
    claude_code_version: PROTOCOL_VERSION,
    capabilities: [...CAPABILITIES],
    output_style: extensions.outputStyle.name,
    agents: extensions.agents.list().map(({ name }) => name),
    skills: extensions.catalog.list().flatMap(({ kind, name }) => (kind === 'skill' ? [name] : [])),
    plugins: extensions.plugins.map(({ name, root }) => ({ name, path: root })),
    ...(thread.promptUuid === undefined ? {} : { user_message_uuids: [thread.promptUuid] }),
  };
}

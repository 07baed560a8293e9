import type { McpServers } from '../mcp/mcp-servers.ts';
import type { AgentCatalog } from '../project/agent-catalog.ts';
import type { CommandCatalog } from '../project/command-catalog.ts';
import type { FileInstructions } from '../project/file-instructions.ts';
import type { MemoryEntry } from '../project/memory-entry.ts';
import type { OutputStyle } from '../project/output-styles.ts';

/** What user, project and plugins add to a session: agents, commands, memory, output styles, MCP servers. */
export interface Extensions {
  readonly agents: AgentCatalog;
  /** Custom commands and skills. */
  readonly catalog: CommandCatalog;
  /** What the model is to know about person and project. */
  readonly memory: string;
  /** The files that it comes from. */
  readonly memoryFiles: readonly MemoryEntry[];
  /** What it is to know about particular files, once it touches them. */
  readonly fileInstructions: FileInstructions;
  /** How the model is to talk. */
  outputStyle: OutputStyle;
  readonly outputStyles: readonly OutputStyle[];
  readonly plugins: readonly { readonly name: string; readonly root: string }[];
  readonly mcp: McpServers;
}

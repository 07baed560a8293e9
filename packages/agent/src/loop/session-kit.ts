import type { McpServers } from '../mcp/mcp-servers.ts';
import type { AgentCatalog } from '../project/agent-catalog.ts';
import type { CommandCatalog } from '../project/command-catalog.ts';
import type { FileInstructions } from '../project/file-instructions.ts';
import type { OutputStyle } from '../project/output-styles.ts';

/** What a person, a project and plugins bring along for a session. */
export interface SessionKit {
  readonly agents: AgentCatalog;
  /** Custom commands and skills. */
  readonly catalog: CommandCatalog;
  /** What the model is to know about person and project. */
  readonly memory: string;
  /** What it is to know about particular files, once it touches them. */
  readonly fileInstructions: FileInstructions;
  /** How the model is to talk. */
  readonly outputStyle: OutputStyle;
  readonly outputStyles: readonly OutputStyle[];
  readonly plugins: readonly { readonly name: string; readonly root: string }[];
  readonly mcp: McpServers;
}

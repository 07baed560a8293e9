import {
  LIMITS,
  messageOf,
  type PermissionResult,
  parseControlPayload,
  parseJson,
} from '@signalbox/protocol';
import type { PermissionAsker, PermissionQuestion } from '../base/host.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { McpServers } from './mcp-servers.ts';

/** Asks an MCP tool for permission, in place of the host: `--permission-prompt-tool mcp__server__tool`. */
export class McpPermissionTool implements PermissionAsker {
  readonly name: string;
  readonly #servers: McpServers;

  constructor(servers: McpServers, name: string) {
    this.#servers = servers;
    this.name = name;
  }

  /** An answer that cannot be understood is a denial that says so. Rejects when the signal fires. */
  async ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionResult> {
    const { tool_name, input, tool_use_id } = question;
    try {
      const call = { toolUseId: tool_use_id, signal };
      const result = await this.#servers.call(this.name, { tool_name, input, tool_use_id }, call);
      const text = textOf(result);
      return result.isError ? this.#denial(`it failed: ${text}`) : this.#answerIn(text);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#denial(messageOf(error));
    }
  }

  #answerIn(text: string): PermissionResult {
    try {
      const answer = parseControlPayload('can_use_tool', parseJson(text, LIMITS.contentDepth));
      if (answer.behavior === 'allow' || answer.behavior === 'deny') return answer;
    } catch {
      // Told below, like an answer of a behavior that nobody knows.
    }
    return this.#denial(
      `it must answer {"behavior":"allow","updatedInput":{…}} or {"behavior":"deny","message":"…"} as JSON text; it answered: ${text.slice(0, 200)}`,
    );
  }

  #denial(why: string): PermissionResult {
    return {
      behavior: 'deny',
      message: `The permission prompt tool ${this.name} gave no usable answer: ${why}`,
    };
  }
}

function textOf({ content }: ToolResult): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

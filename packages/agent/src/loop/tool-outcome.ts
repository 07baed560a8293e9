import type { ToolResult } from '../tools/tool.ts';

/** What came of a tool call. */
export interface ToolOutcome extends ToolResult {
  /** Refused by a rule, the mode, a hook or a person. */
  wasDenied?: boolean;
  /** A hook wants the turn to end, for this reason. */
  stopped?: string;
  /** What hooks have to say to the model about the call. */
  notes?: readonly string[];
}

/** An outcome that tells the model what went wrong. */
export function failure(content: string): ToolOutcome {
  return { content, isError: true };
}

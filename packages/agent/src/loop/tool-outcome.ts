import type { ToolResult } from '../tools/tool.ts';

/** Who decided that a call may be made or not, as hosts are told. */
export interface PermissionRecord {
  readonly decision: 'accept' | 'reject';
  readonly source: 'config' | 'hook' | 'user_temporary' | 'user_reject';
  /** What kind of thing decided, where nobody was asked. */
  readonly reason_type?: string;
}

/** What came of a tool call. */
export interface ToolOutcome extends ToolResult {
  /** Refused by a rule, the mode, a hook or a person. */
  wasDenied?: boolean;
  /** A hook wants the turn to end, for this reason. */
  stopped?: string;
  /** What hooks have to say to the model about the call. */
  notes?: readonly string[];
  /** Who decided about it; absent where it did not come to that. */
  permission?: PermissionRecord;
  /** A person stopped the turn when they were asked about it. */
  wasRejected?: boolean;
}

/** An outcome that tells the model what went wrong. */
export function failure(content: string): ToolOutcome {
  return { content, isError: true };
}

/** What programs are told about a result beside what the model reads: who decided, and why the tool was not run. */
export function resultMeta(id: string, { permission, wasRejected }: ToolOutcome) {
  if (wasRejected) return { tool_result_meta: [{ id, non_execution_kind: 'user-rejected' }] };
  if (!permission) return {};
  const wasRefused = permission.decision === 'reject';
  const kind = wasRefused ? { non_execution_kind: 'permission-rule' } : {};
  return { tool_result_meta: [{ id, ...kind, permission_decision: { ...permission } }] };
}

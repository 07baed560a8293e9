import type { PermissionBehavior, PermissionDestination } from '@signalbox/protocol';
import type { McpServerProvenance } from './mcp.ts';

/** How an agent treats tool calls that no rule decides. */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** Where a permission update is kept. */
export type PermissionUpdateDestination = PermissionDestination;

/** A tool, and which of its calls. */
export interface PermissionRuleValue {
  toolName: string;
  ruleContent?: string;
}

/** A change of rules, mode or directories. */
export type PermissionUpdate =
  | {
      type: 'addRules' | 'replaceRules' | 'removeRules';
      rules: PermissionRuleValue[];
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | { type: 'setMode'; mode: PermissionMode; destination: PermissionUpdateDestination }
  | {
      type: 'addDirectories' | 'removeDirectories';
      directories: string[];
      destination: PermissionUpdateDestination;
    };

/** How lasting a user meant a decision to be. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';

/** What a host decides about a tool call. Allowed without `updatedInput`, it runs as it was asked for. */
export type PermissionResult =
  | {
      behavior: 'allow';
      updatedInput?: Record<string, unknown>;
      updatedPermissions?: PermissionUpdate[];
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    }
  | {
      behavior: 'deny';
      message: string;
      interrupt?: boolean;
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    };

/**
 * Decides about a tool call that no rule decides. The signal fires when nobody waits for the decision any more;
 * `null` leaves the call undecided, for somebody else to answer.
 */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    signal: AbortSignal;
    suggestions?: PermissionUpdate[];
    blockedPath?: string;
    mcpServer?: McpServerProvenance;
    decisionReason?: string;
    title?: string;
    displayName?: string;
    description?: string;
    defaultToNo?: boolean;
    suppressAlwaysAllowRule?: boolean;
    toolUseID: string;
    agentID?: string;
    requestId: string;
    matchedAskRule?: { source: string; toolName: string; ruleContent?: string };
  },
) => Promise<PermissionResult | null>;

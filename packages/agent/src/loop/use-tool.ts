import { resolve } from 'node:path';
import { type JsonObject, messageOf } from '@signalbox/protocol';
import type { HostLink } from '../io/host-link.ts';
import { callPaths, realPath } from '../permission/call-paths.ts';
import { type CallFacts, decide } from '../permission/decide.ts';
import type { PermissionStore } from '../permission/permission-store.ts';
import type { Tool, ToolCallContext, ToolResult } from '../tools/tool.ts';

/** What a tool call needs beside its input. */
export interface ToolUseContext {
  tools: readonly Tool[];
  permissions: PermissionStore;
  /** Absent when nobody can be asked. */
  host: HostLink | undefined;
  callContext: ToolCallContext;
}

/** What came of a tool call. */
export interface ToolOutcome extends ToolResult {
  /** Refused by a rule, the mode or a person. */
  wasDenied?: boolean;
  /** The person who refused it wants the turn to end. */
  endsTurn?: boolean;
}

/** Find the tool, get permission, run it. Whatever goes wrong is told to the model, not thrown. */
export async function useTool(
  call: { id: string; name: string; input: unknown },
  context: ToolUseContext,
): Promise<ToolOutcome> {
  const tool = context.tools.find(({ name }) => name === call.name);
  if (!tool) return failure(`No such tool available: ${call.name}`);
  const input = tool.fromModel(isObject(call.input) ? call.input : {});
  const permitted = await permit(tool, input, call.id, context);
  if ('refusal' in permitted) return permitted.refusal;
  try {
    return await tool.run(permitted.input, context.callContext);
  } catch (error) {
    return failure(messageOf(error));
  }
}

async function permit(
  tool: Tool,
  input: JsonObject,
  toolUseId: string,
  { permissions, host, callContext }: ToolUseContext,
): Promise<{ input: JsonObject } | { refusal: ToolOutcome }> {
  const { session, signal } = callContext;
  const decision = decide(
    { toolName: tool.name, input, paths: callPaths(tool, input, session.cwd), ...traits(tool) },
    {
      mode: permissions.mode,
      rules: permissions.rules,
      // Rules are meant from where the session began, wherever commands have moved since.
      cwd: realPath(session.originalCwd),
      home: session.home,
      folders: [session.originalCwd, ...permissions.directories].map((folder) =>
        realPath(resolve(session.originalCwd, folder)),
      ),
    },
  );
  if (decision.behavior === 'allow') return { input };
  if (decision.behavior === 'deny' || !host) {
    const why =
      decision.behavior === 'deny' ? decision.reason : `${decision.reason}, and nobody can be asked`;
    return { refusal: { ...failure(`Permission to use ${tool.name} was denied: ${why}.`), wasDenied: true } };
  }
  try {
    const answer = await host.askPermission(
      {
        tool_name: tool.name,
        input,
        tool_use_id: toolUseId,
        permission_suggestions: decision.suggestions,
        ...(decision.blockedPath === undefined ? {} : { blocked_path: decision.blockedPath }),
        decision_reason: decision.reason,
        ...(tool.needsPerson ? { requires_user_interaction: true } : {}),
      },
      signal,
    );
    if (answer.behavior === 'allow') {
      await permissions.apply(answer.updatedPermissions ?? []);
      return { input: answer.updatedInput ?? input };
    }
    const message = answer.behavior === 'deny' ? answer.message : undefined;
    const endsTurn = answer.behavior === 'deny' && answer.interrupt === true;
    return { refusal: { ...failure(message || 'Permission was denied.'), wasDenied: true, endsTurn } };
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      refusal: { ...failure(`Tool permission request failed: ${messageOf(error)}`), wasDenied: true },
    };
  }
}

function traits({
  isReadOnly,
  isEdit,
  needsPerson,
}: Tool): Pick<CallFacts, 'isReadOnly' | 'isEdit' | 'needsPerson'> {
  return { isReadOnly, isEdit, needsPerson };
}

function failure(content: string): ToolOutcome {
  return { content, isError: true };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

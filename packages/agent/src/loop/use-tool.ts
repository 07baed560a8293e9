import { resolve } from 'node:path';
import { isJsonObject, type JsonObject, messageOf } from '@signalbox/protocol';
import { debugLog } from '../base/debug-log.ts';
import type { HookOutcome } from '../hooks/hook-outcome.ts';
import { isToolDenied } from '../permission/denied-tools.ts';
import { findTool, type Tool } from '../tools/tool.ts';
import { countLines } from './changed-lines.ts';
import { agentOf, type Caller, type PermittedCall, permitCall } from './permit-call.ts';
import { failure, type ToolOutcome } from './tool-outcome.ts';

const debug = debugLog('tools');

/** Find the tool, hear the hooks, get permission, run it. Whatever goes wrong is told to the model, not thrown. */
export async function useTool(
  call: { id: string; name: string; input: unknown },
  caller: Caller,
): Promise<ToolOutcome> {
  const tool = findTool(caller.thread.tools(), call.name);
  if (!tool) {
    // A tool that a rule denies is not offered; a model that calls it all the same is refused by the rule.
    const wasDenied = isToolDenied(caller.core.permissions.rules, call.name);
    return { ...failure(`No such tool available: ${call.name}`), wasDenied };
  }
  const given = tool.fromModel(isJsonObject(call.input) ? call.input : {}, caller.context.session);
  const before = await hear('PreToolUse', tool, given, {}, caller);
  if (caller.context.signal.aborted) return failure('The tool was not run: the turn was interrupted.');
  if (before?.stopped !== undefined) return { ...failure(before.stopped), stopped: before.stopped };
  if (before?.permission?.behavior === 'deny' || before?.blocked !== undefined) {
    const reason = before.permission?.reason || before.blocked || 'A hook refused it.';
    const permission = { decision: 'reject', source: 'hook', reason_type: 'hook' } as const;
    return { ...failure(reason), wasDenied: true, permission, notes: before.additionalContext };
  }
  const permitted = await permitCall(tool, before?.updatedInput ?? given, caller, before?.permission);
  if ('refusal' in permitted) return permitted.refusal;
  const { permission } = permitted;
  const outcome = { ...(await run(tool, permitted, caller)), permission };
  return withNotes(outcome, before?.additionalContext ?? []);
}

async function run(tool: Tool, { input, paths }: PermittedCall, caller: Caller): Promise<ToolOutcome> {
  let outcome: ToolOutcome;
  debug(() => `${tool.name} ${caller.context.toolUseId} runs: ${JSON.stringify(input)}`);
  const { sandbox } = caller.context.session;
  if (tool.isEdit) for (const path of paths) sandbox?.makeRoom(path);
  const startedAt = performance.now();
  try {
    outcome = await tool.run(input, { ...caller.context, paths });
  } catch (error) {
    outcome = failure(messageOf(error));
  }
  const duration_ms = Math.round(performance.now() - startedAt);
  debug(
    () =>
      `${tool.name} ${caller.context.toolUseId} ${outcome.isError ? 'failed' : 'done'}: ${textOf(outcome)}`,
  );
  countLines(caller.core.accounting, outcome);
  if (caller.context.signal.aborted) return outcome;
  if (!outcome.isError) outcome = withNotes(outcome, await aboutFiles(tool, input, caller));
  const after = outcome.isError
    ? await hear(
        'PostToolUseFailure',
        tool,
        input,
        { error: textOf(outcome), is_interrupt: false, duration_ms },
        caller,
      )
    : await hear(
        'PostToolUse',
        tool,
        input,
        { tool_response: outcome.structured ?? outcome.content, duration_ms },
        caller,
      );
  if (!after) return outcome;
  const notes = [...(after.blocked === undefined ? [] : [after.blocked]), ...after.additionalContext];
  return {
    ...withNotes(outcome, notes),
    ...(after.stopped === undefined ? {} : { stopped: after.stopped }),
    ...(after.updatedToolOutput === undefined ? {} : { content: asText(after.updatedToolOutput) }),
  };
}

/** What the folders of the files that a call touched have to say about them. */
async function aboutFiles(
  tool: Tool,
  input: JsonObject,
  { thread, context: { session } }: Caller,
): Promise<string[]> {
  if (tool.name !== 'Read' && !tool.isEdit) return [];
  const notes: string[] = [];
  for (const path of tool.paths(input))
    notes.push(...(await thread.fileInstructions.about(resolve(session.cwd, path))));
  return notes;
}

async function hear(
  event: 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure',
  tool: Tool,
  input: JsonObject,
  more: JsonObject,
  { core: { hooks }, thread, context: { signal, toolUseId } }: Caller,
): Promise<HookOutcome | undefined> {
  if (!hooks.has(event)) return undefined;
  return hooks.run(
    event,
    { tool_name: tool.name, tool_input: input, tool_use_id: toolUseId, ...more },
    { signal, toolUseId, matchOn: tool.name, ...agentOf(thread) },
  );
}

function withNotes(outcome: ToolOutcome, notes: readonly string[]): ToolOutcome {
  return notes.length === 0 ? outcome : { ...outcome, notes: [...(outcome.notes ?? []), ...notes] };
}

function textOf({ content }: ToolOutcome): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { resolve } from 'node:path';
import { type JsonObject, messageOf, type PermissionResult, sameJson } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { debugLog } from '../base/debug-log.ts';
import { realFolders, realPaths } from '../base/real-path.ts';
import { mcpRuleName } from '../mcp/mcp-names.ts';
import { type Decision, decide as decideBy } from '../permission/decide.ts';
import { readTool } from '../tools/read.ts';
import type { Tool, ToolCallContext } from '../tools/tool.ts';
import type { ToolSession } from '../tools/tool-session.ts';
import { describeCall, reasonType } from './describe-call.ts';
import { type SessionCore, stamp } from './session-core.ts';
import type { Thread } from './thread.ts';
import { failure, type PermissionRecord, type ToolOutcome } from './tool-outcome.ts';

const debug = debugLog('permission');

/** The structured result by which hosts know that a person stopped the turn at a call. */
const REJECTED = 'User rejected tool use';

/** The person interrupts the turn instead of answering. */
const INTERRUPTED: ToolOutcome = {
  ...failure('The tool was not used: the turn was interrupted while its permission was asked for.'),
  structured: REJECTED,
  wasDenied: true,
  wasRejected: true,
};

/** The session and thread that call a tool. */
export interface Caller {
  readonly core: SessionCore;
  readonly thread: Thread;
  readonly context: ToolCallContext;
  /** What the host says about the call, where it was asked in an earlier run of the session. */
  readonly answer?: PermissionResult | undefined;
}

/** What hooks said about a call before anyone else did. */
export type HookVerdict = { behavior: 'allow' | 'deny' | 'ask'; reason: string };

/** A call that may be made: with this input, on these files. */
export interface PermittedCall {
  readonly input: JsonObject;
  /** The real paths that were judged; the tool acts on them, wherever the paths of its input lead by then. */
  readonly paths: readonly string[];
  readonly permission: PermissionRecord;
}

/** Whether a call may be made, and with which input: by rules and mode, then by hooks, then by whoever can be asked. */
export async function permitCall(
  tool: Tool,
  input: JsonObject,
  caller: Caller,
  verdict: HookVerdict | undefined,
): Promise<PermittedCall | { refusal: ToolOutcome }> {
  const { session } = caller.context;
  let paths: string[];
  try {
    paths = realPaths(tool.paths(input), session.cwd);
  } catch (error) {
    return { refusal: denied(tool, messageOf(error)) };
  }
  const decide = (): Decision => withVerdict(decideCall(tool, input, paths, caller.core, session), verdict);
  const decision = decide();
  debug(
    () =>
      `${tool.name} ${caller.context.toolUseId}: ${decision.behavior}${'reason' in decision ? `, ${decision.reason}` : ''}`,
  );
  const { answer: given } = caller;
  if (decision.behavior === 'allow' && !given)
    return { input, paths, permission: recordOf('accept', decision) };
  if (decision.behavior === 'deny') return { refusal: await refuse(tool, decision.reason, decision, caller) };
  try {
    // Of what lies outside nobody hears, unasked, whether it is there.
    if (decision.blockedPath === undefined) await tool.check?.(input, { ...caller.context, paths });
  } catch (error) {
    return { refusal: failure(messageOf(error)) };
  }
  try {
    const hooked = given ? undefined : await askHooks(tool, input, decision, caller);
    const answer = given ?? hooked ?? (await askUntilAllowed(tool, input, decision, caller, decide));
    if (!answer) {
      const reason = `${decision.reason}, and nobody can be asked`;
      return { refusal: await refuse(tool, reason, decision, caller) };
    }
    const permission = answerRecord(answer, hooked !== undefined);
    if (answer.behavior === 'allow') {
      await caller.core.permissions.apply(answer.updatedPermissions ?? []);
      const updatedInput = answer.updatedInput ?? input;
      if (sameJson(updatedInput, input)) return { input: updatedInput, paths, permission };
      const isSame = sameJson(tool.paths(updatedInput), tool.paths(input));
      const updatedPaths = isSame ? paths : realPaths(tool.paths(updatedInput), session.cwd);
      const changed = decideCall(tool, updatedInput, updatedPaths, caller.core, session);
      // Whoever answers may change the call, but not into one that a rule denies.
      if (changed.behavior === 'deny' && changed.because === 'rule')
        return { refusal: await refuse(tool, changed.reason, changed, caller) };
      return { input: updatedInput, paths: updatedPaths, permission };
    }
    const message = answer.behavior === 'deny' ? answer.message : undefined;
    const refusal = { ...failure(message || 'Permission was denied.'), wasDenied: true };
    if (answer.behavior !== 'deny' || answer.interrupt !== true)
      return { refusal: { ...refusal, permission } };
    return { refusal: { ...refusal, structured: REJECTED, endsTurn: true, wasRejected: true } };
  } catch (error) {
    if (caller.context.signal.aborted) return { refusal: INTERRUPTED };
    return {
      refusal: { ...failure(`Tool permission request failed: ${messageOf(error)}`), wasDenied: true },
    };
  }
}

/** Whether a file may be read without anybody being asked. */
export function mayReadUnasked(core: SessionCore, { toolSession }: Thread, path: string): boolean {
  try {
    const paths = realPaths([path], toolSession.cwd);
    return decideCall(readTool, { file_path: path }, paths, core, toolSession).behavior === 'allow';
  } catch {
    return false;
  }
}

function decideCall(
  tool: Tool,
  input: JsonObject,
  paths: readonly string[],
  { permissions }: SessionCore,
  session: ToolSession,
): Decision {
  return decideBy(
    {
      toolName: tool.name,
      ...(tool.server && { otherName: mcpRuleName(tool.server.name, tool.server.toolName) }),
      input,
      paths,
      namedPaths: tool.paths(input).map((path) => resolve(session.cwd, path)),
      // Of a server's tool that is only the server's word.
      isReadOnly: tool.isReadOnly && !tool.name.startsWith('mcp__'),
      isEdit: tool.isEdit,
      needsPerson: tool.needsPerson,
      runsIn: realPath(session.cwd),
      isConfined: tool.name === 'Bash' && session.sandbox?.autoAllows(input) === true,
    },
    {
      mode: session.mode,
      rules: permissions.rules,
      // Rules are meant from where the session began, wherever commands have moved since.
      cwd: realPath(session.originalCwd),
      home: session.home,
      folders: realFolders([session.originalCwd, ...permissions.directories], session.originalCwd),
    },
  );
}

/** A hook can settle what would be asked, and have asked what would be allowed; what a rule says it cannot undo. */
function withVerdict(decision: Decision, verdict: HookVerdict | undefined): Decision {
  if (!verdict || decision.behavior === 'deny') return decision;
  if (verdict.behavior === 'allow' && decision.behavior === 'ask' && decision.because === 'rule')
    return decision;
  return { ...decision, behavior: verdict.behavior, reason: verdict.reason, because: 'hook' };
}

async function askHooks(
  tool: Tool,
  input: JsonObject,
  { suggestions }: Decision,
  { core: { hooks }, thread, context: { signal, toolUseId } }: Caller,
): Promise<PermissionResult | undefined> {
  if (!hooks.has('PermissionRequest')) return undefined;
  const { request } = await hooks.run(
    'PermissionRequest',
    { tool_name: tool.name, tool_input: input, permission_suggestions: suggestions },
    { signal, toolUseId, matchOn: tool.name, ...agentOf(thread) },
  );
  if (request?.behavior !== 'allow') return request;
  return { ...request, updatedPermissions: [...(request.updatedPermissions ?? [])] };
}

/** A question that an answer to another one settles as well is called off. */
async function askUntilAllowed(
  tool: Tool,
  input: JsonObject,
  decision: Decision,
  caller: Caller,
  decide: () => Decision,
): Promise<PermissionResult | undefined> {
  const { core, context } = caller;
  const settled = new AbortController();
  const stop = core.permissions.onApplied(() => {
    if (decide().behavior === 'allow') settled.abort();
  });
  try {
    return await ask(tool, input, decision, caller, AbortSignal.any([context.signal, settled.signal]));
  } catch (error) {
    if (!settled.signal.aborted || context.signal.aborted) throw error;
    return { behavior: 'allow' };
  } finally {
    stop();
  }
}

async function ask(
  tool: Tool,
  input: JsonObject,
  decision: Decision,
  { core: { asker, hooks }, thread, context: { toolUseId } }: Caller,
  signal: AbortSignal,
): Promise<PermissionResult | undefined> {
  if (!asker) return undefined;
  // The answer may come to another run of the session: the call it is for must be on disk.
  await thread.log.flush();
  if (hooks.has('Notification')) {
    const message = `Permission is needed to use ${tool.name}`;
    const kind = 'permission_prompt';
    // Somebody may want to be called; the question does not wait for that.
    void hooks.run('Notification', { message, notification_type: kind }, { signal, matchOn: kind });
  }
  return asker.ask(
    {
      tool_name: tool.name,
      input,
      tool_use_id: toolUseId,
      ...describeCall(tool, input, thread.toolSession.cwd),
      permission_suggestions: decision.suggestions,
      ...(decision.blockedPath === undefined ? {} : { blocked_path: decision.blockedPath }),
      decision_reason: decision.reason,
      ...reasonType(decision),
      ...(thread.agent ? { agent_id: thread.agent.id } : {}),
      ...(tool.needsPerson ? { requires_user_interaction: true } : {}),
    },
    signal,
  );
}

/** Who calls, where it is a sub-agent; hooks are told. */
export function agentOf({ agent }: Thread) {
  return agent ? { agent: { agent_id: agent.id, agent_type: agent.type } } : {};
}

/** Refused without a question, which hosts hear of at once. */
async function refuse(tool: Tool, why: string, decision: Decision, caller: Caller): Promise<ToolOutcome> {
  const { core, thread, context } = caller;
  const message = denialOf(tool, why);
  if (decision.because !== 'hook')
    await core.send({
      type: 'system',
      subtype: 'permission_denied',
      tool_name: tool.name,
      tool_use_id: context.toolUseId,
      message,
      decision_reason: why,
      ...reasonType(decision),
      ...(thread.agent ? { agent_id: thread.agent.id } : {}),
      ...stamp(core),
    });
  return { ...failure(message), wasDenied: true, permission: recordOf('reject', decision) };
}

function recordOf(decision: PermissionRecord['decision'], why: Decision): PermissionRecord {
  const { decision_reason_type: reason_type } = reasonType(why);
  const source = why.because === 'hook' ? 'hook' : 'config';
  return { decision, source, ...(reason_type === undefined ? {} : { reason_type }) };
}

function answerRecord({ behavior }: PermissionResult, isHook: boolean): PermissionRecord {
  const isAllowed = behavior === 'allow';
  const decision = isAllowed ? 'accept' : 'reject';
  if (isHook) return { decision, source: 'hook', reason_type: 'hook' };
  return { decision, source: isAllowed ? 'user_temporary' : 'user_reject' };
}

function denied(tool: Tool, why: string): ToolOutcome {
  return { ...failure(denialOf(tool, why)), wasDenied: true };
}

function denialOf(tool: Tool, why: string): string {
  return `Permission to use ${tool.name} was denied: ${why}.`;
}

import { resolve } from 'node:path';
import { type JsonObject, messageOf, type PermissionResult, sameJson } from '@signalbox/protocol';
import { debugLog } from '../base/debug-log.ts';
import { realFolders, realPath, realPaths } from '../base/real-path.ts';
import { type Decision, decide as decideBy } from '../permission/decide.ts';
import { readTool } from '../tools/read.ts';
import type { Tool, ToolCallContext } from '../tools/tool.ts';
import type { ToolSession } from '../tools/tool-session.ts';
import { describeCall, reasonType } from './describe-call.ts';
import type { SessionCore } from './session-core.ts';
import type { Thread } from './thread.ts';
import { failure, type ToolOutcome } from './tool-outcome.ts';

const debug = debugLog('permission');

/** The person interrupts the turn instead of answering. */
const INTERRUPTED: ToolOutcome = {
  ...failure('The tool was not used: the turn was interrupted while its permission was asked for.'),
  structured: 'User rejected tool use',
  wasDenied: true,
};

/** Where a tool is called. */
export interface CallPlace {
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
}

/** Whether a call may be made, and with which input: by rules and mode, then by hooks, then by whoever can be asked. */
export async function permitCall(
  tool: Tool,
  input: JsonObject,
  place: CallPlace,
  verdict: HookVerdict | undefined,
): Promise<PermittedCall | { refusal: ToolOutcome }> {
  const { session } = place.context;
  let paths: string[];
  try {
    paths = realPaths(tool.paths(input), session.cwd);
  } catch (error) {
    return { refusal: denied(tool, messageOf(error)) };
  }
  const decide = (): Decision => withVerdict(decideCall(tool, input, paths, place.core, session), verdict);
  const decision = decide();
  debug(
    () =>
      `${tool.name} ${place.context.toolUseId}: ${decision.behavior}${'reason' in decision ? `, ${decision.reason}` : ''}`,
  );
  const { answer: given } = place;
  if (decision.behavior === 'allow' && !given) return { input, paths };
  if (decision.behavior === 'deny') return { refusal: denied(tool, decision.reason) };
  try {
    // Of what lies outside nobody hears, unasked, whether it is there.
    if (decision.blockedPath === undefined) await tool.check?.(input, { ...place.context, paths });
  } catch (error) {
    return { refusal: failure(messageOf(error)) };
  }
  try {
    const answer =
      given ??
      (await askHooks(tool, input, decision, place)) ??
      (await askUntilAllowed(tool, input, decision, place, decide));
    if (!answer) return { refusal: denied(tool, `${decision.reason}, and nobody can be asked`) };
    if (answer.behavior === 'allow') {
      await place.core.permissions.apply(answer.updatedPermissions ?? []);
      const updatedInput = answer.updatedInput ?? input;
      const isSame = sameJson(tool.paths(updatedInput), tool.paths(input));
      return {
        input: updatedInput,
        paths: isSame ? paths : realPaths(tool.paths(updatedInput), session.cwd),
      };
    }
    const message = answer.behavior === 'deny' ? answer.message : undefined;
    const endsTurn = answer.behavior === 'deny' && answer.interrupt === true;
    return { refusal: { ...failure(message || 'Permission was denied.'), wasDenied: true, endsTurn } };
  } catch (error) {
    if (place.context.signal.aborted) return { refusal: INTERRUPTED };
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
  { core: { hooks }, thread, context: { signal, toolUseId } }: CallPlace,
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
  place: CallPlace,
  decide: () => Decision,
): Promise<PermissionResult | undefined> {
  const { core, context } = place;
  const settled = new AbortController();
  const stop = core.permissions.onApplied(() => {
    if (decide().behavior === 'allow') settled.abort();
  });
  try {
    return await ask(tool, input, decision, place, AbortSignal.any([context.signal, settled.signal]));
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
  { core: { asker, hooks }, thread, context: { toolUseId } }: CallPlace,
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

function denied(tool: Tool, why: string): ToolOutcome {
  return { ...failure(`Permission to use ${tool.name} was denied: ${why}.`), wasDenied: true };
}

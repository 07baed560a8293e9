import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '@signalbox/protocol';
import { UsageError } from '../base/agent-errors.ts';
import { childEnvironment } from '../base/child-environment.ts';
import type { Host, PermissionAsker } from '../base/host.ts';
import { isSet } from '../base/is-set.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import { AgentSession } from '../conversation/agent-session.ts';
import type { PromptLifecycle } from '../conversation/prompt-lifecycle.ts';
import { type ActivityTeller, SessionActivity } from '../conversation/session-activity.ts';
import { HookRunner } from '../hooks/hook-runner.ts';
import { StatusLine } from '../hooks/status-line.ts';
import { type SessionState, stamp } from '../loop/session-core.ts';
import { McpPermissionTool } from '../mcp/mcp-permission-tool.ts';
import { type McpParts, McpServers } from '../mcp/mcp-servers.ts';
import { ModelClient } from '../model/model-client.ts';
import { loadPermissions } from '../permission/load-permissions.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Settings } from '../settings/settings.ts';
import { gatherServers } from './gather-servers.ts';
import { loadExtensions } from './load-extensions.ts';
import type { StartContext } from './start-context.ts';

/** How long a command that knows the key for the API may take. */
const KEY_HELPER_MS = 30_000;

/** What a session begins with. */
export interface SessionBeginning {
  options: AgentOptions;
  context: StartContext;
  settings: Settings;
  opened: OpenSession;
  state: SessionState;
  openAnew: () => Promise<OpenSession>;
  host: Host;
  onNews: (news: string) => void;
  lifecycle: PromptLifecycle;
  /** How many prompts wait for their turn. */
  queuedPrompts: () => number;
}

/** Put a session together from what settings, project and command line say. Its servers are started by whoever uses it. */
export async function startSession(beginning: SessionBeginning): Promise<AgentSession> {
  const { options, context, settings, opened, state, host } = beginning;
  const { cwd, env, home, configDir, onProblem } = context;
  const permissions = loadPermissions(options, context, settings);
  const hooks = new HookRunner({
    projectDir: cwd,
    env,
    base: () => ({
      session_id: state.id,
      transcript_path: state.log.file ?? '',
      cwd: state.cwd,
      permission_mode: permissions.mode,
      ...(state.promptId === undefined ? {} : { prompt_id: state.promptId }),
    }),
    emit: (message) => host.write(message),
    askHost: (callback_id, input, tool_use_id, signal) =>
      host.request(
        {
          subtype: 'hook_callback',
          callback_id,
          input,
          ...(tool_use_id === undefined ? {} : { tool_use_id }),
        },
        { signal },
      ),
    includeEvents: options.includeHookEvents,
    onProblem,
  });
  for (const { file, hooks: commands } of settings.hookSources()) hooks.addCommands(file, commands);
  const mcp = new McpServers({
    cwd,
    env,
    mayUse: (server) => settings.mayUseServer(server),
    onProblem,
    onChange: () => {},
    ...(host.answers ? askedOfHost(host) : {}),
  });
  gatherServers(mcp, { ...context, options, settings });
  const policy = settings.sandbox;
  const [extensions, sandbox, helperKey] = await Promise.all([
    loadExtensions({ ...context, options, settings, mcp, hooks, permissions }),
    policy.isEnabled
      ? import('../sandbox/sandbox.ts').then(({ Sandbox }) => Sandbox.open(policy, { home, configDir, env }))
      : undefined,
    keyFrom(settings.apiKeyHelper, env),
  ]);
  if (options.agent !== undefined && !extensions.agents.find(options.agent)) {
    const names = extensions.agents.list().map(({ name }) => name);
    throw new UsageError(`There is no agent "${options.agent}". There are: ${names.join(', ')}.`);
  }
  const activity = new SessionActivity(activityTeller(env, host, state));
  return new AgentSession({
    ...beginning,
    ...context,
    // Hosts switch file checkpoints on; they cost a copy of every file that is changed.
    opened: isSet(env.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING)
      ? opened
      : { ...opened, checkpoints: undefined },
    options: {
      ...options,
      model: options.model ?? env.ANTHROPIC_MODEL ?? settings.model,
      effort: options.effort ?? settings.effortLevel,
    },
    model: new ModelClient(env, { helperKey }),
    activity,
    asker: activity.watch(askerFor(options, host, mcp)),
    permissions,
    hooks,
    statusLine:
      settings.statusLine && new StatusLine(settings.statusLine, { projectDir: cwd, env, onProblem }),
    extensions,
    sandbox,
    onProblem: ({ message }) => onProblem(message),
  });
}

/** What servers want of a host. */
function askedOfHost(host: Host): Required<Pick<McpParts, 'sendToHost' | 'elicit'>> {
  return {
    sendToHost: (server_name, message, signal) =>
      host.request({ subtype: 'mcp_message', server_name, message }, signal ? { signal } : {}),
    elicit: (request, signal) => host.request({ subtype: 'elicitation', ...request }, { signal }),
  };
}

/** How a host hears of what the session does, where it wants to. */
function activityTeller(env: NodeJS.ProcessEnv, host: Host, session: SessionState): ActivityTeller {
  if (!isSet(env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS)) return async () => {};
  const event = { type: 'system', subtype: 'session_state_changed' } as const;
  return (state) => host.write({ ...event, state, ...stamp(session) });
}

/** Who is asked for permission; nobody where a host only listens. */
function askerFor({ asks }: AgentOptions, host: Host, mcp: McpServers): PermissionAsker | undefined {
  if (typeof asks === 'object') return new McpPermissionTool(mcp, asks.mcpTool);
  return asks === 'host' && host.answers ? host : undefined;
}

/** Some keep their key where only a command finds it. It is not put into the environment, which commands get. */
async function keyFrom(helper: string | undefined, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (helper === undefined || env.ANTHROPIC_API_KEY || env.ANTHROPIC_AUTH_TOKEN) return undefined;
  try {
    // One that takes no notice of a gentle end would hold up the start for good.
    const options = { env: childEnvironment(env), timeout: KEY_HELPER_MS, killSignal: 'SIGKILL' as const };
    const { stdout } = await promisify(execFile)('sh', ['-c', helper], options);
    return stdout.trim();
  } catch (error) {
    throw new UsageError(`The apiKeyHelper of the settings failed: ${messageOf(error)}`);
  }
}

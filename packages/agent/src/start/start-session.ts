import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ControlPeer, messageOf } from '@signalbox/protocol';
import { UsageError } from '../base/agent-errors.ts';
import { childEnvironment } from '../base/child-environment.ts';
import type { Output } from '../base/host.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import { AgentSession } from '../conversation/agent-session.ts';
import { HookRunner } from '../hooks/hook-runner.ts';
import { McpPermissionTool } from '../mcp/mcp-permission-tool.ts';
import { McpServers } from '../mcp/mcp-servers.ts';
import { ModelClient } from '../model/model-client.ts';
import { loadPermissions } from '../permission/load-permissions.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Settings } from '../settings/settings.ts';
import { gatherServers } from './gather-servers.ts';
import { loadKit } from './load-kit.ts';
import type { StartPlace } from './start-place.ts';

/** How long a command that knows the key for the API may take. */
const KEY_HELPER_MS = 30_000;

/** What a session begins with. */
export interface SessionBeginning {
  options: AgentOptions;
  place: StartPlace;
  settings: Settings;
  opened: OpenSession;
  openAnew: () => Promise<OpenSession>;
  output: Output;
  /** The host's line, once there is one. */
  peer: () => ControlPeer | undefined;
}

/** Put a session together from what settings, project and command line say. */
export async function startSession(beginning: SessionBeginning): Promise<AgentSession> {
  const { options, place, settings, opened, output, peer } = beginning;
  const { cwd, env, home, configDir, onProblem } = place;
  const permissions = loadPermissions(options, place, settings);
  const hooks = new HookRunner({
    projectDir: cwd,
    env,
    base: () => ({
      session_id: session.id,
      transcript_path: session.thread.log.file ?? '',
      cwd: session.thread.toolSession.cwd,
      permission_mode: permissions.mode,
    }),
    emit: (message) => output.write(message),
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
    sendToHost: (server_name, message, signal) =>
      hostOf(peer()).request({ subtype: 'mcp_message', server_name, message }, signal ? { signal } : {}),
    elicit: (request, signal) => hostOf(peer()).request({ subtype: 'elicitation', ...request }, { signal }),
  });
  gatherServers(mcp, { ...place, options, settings });
  const policy = settings.sandbox;
  const [kit, sandbox, helperKey] = await Promise.all([
    loadKit({ ...place, options, settings, mcp, hooks, permissions }),
    policy.isEnabled
      ? import('../sandbox/sandbox.ts').then(({ Sandbox }) => Sandbox.open(policy, { home, configDir, env }))
      : undefined,
    keyFrom(settings.apiKeyHelper, env),
  ]);
  if (options.agent !== undefined && !kit.agents.find(options.agent)) {
    const names = kit.agents.list().map(({ name }) => name);
    throw new UsageError(`There is no agent "${options.agent}". There are: ${names.join(', ')}.`);
  }
  const session: AgentSession = new AgentSession({
    ...beginning,
    ...place,
    opened: { ...opened, checkpoints: keepsFiles(env) ? opened.checkpoints : undefined },
    options: { ...options, model: options.model ?? env.ANTHROPIC_MODEL ?? settings.model },
    model: new ModelClient(env, { helperKey }),
    permissions,
    hooks,
    kit,
    sandbox,
    onProblem: ({ message }) => onProblem(message),
  });
  if (typeof options.asks === 'object') session.core.asker = new McpPermissionTool(mcp, options.asks.mcpTool);
  session.waitFor(mcp.connect());
  return session;
}

function hostOf(peer: ControlPeer | undefined): ControlPeer {
  if (!peer) throw new UsageError('There is no host that could answer.');
  return peer;
}

/** Hosts switch file checkpoints on; they cost a copy of every file that is changed. */
function keepsFiles({ CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: text }: NodeJS.ProcessEnv): boolean {
  return text !== undefined && text !== '' && text !== '0' && text !== 'false';
}

/** Some keep their key where only a command finds it. It is not put into the environment, which commands get. */
async function keyFrom(helper: string | undefined, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (helper === undefined || env.ANTHROPIC_API_KEY || env.ANTHROPIC_AUTH_TOKEN) return undefined;
  try {
    const options = { env: childEnvironment(env), timeout: KEY_HELPER_MS };
    const { stdout } = await promisify(execFile)('sh', ['-c', helper], options);
    return stdout.trim();
  } catch (error) {
    throw new UsageError(`The apiKeyHelper of the settings failed: ${messageOf(error)}`);
  }
}

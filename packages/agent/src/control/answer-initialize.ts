import {
  type ControlPeer,
  ControlRefusal,
  isJsonObject,
  type JsonObject,
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
} from '@signalbox/protocol';
import { PROTOCOL_VERSION } from '../base/version.ts';
import type { AgentSession } from '../conversation/agent-session.ts';
import { DEFAULT_MODEL } from '../model/prices.ts';
import { agentsOfHost } from '../project/load-agents.ts';
import type { Settings } from '../settings/settings.ts';
import { offeredModels } from './models.ts';

/** Apply what a host says in `initialize`, once, and tell it what the session has. */
export function answerInitialize(
  peer: ControlPeer,
  session: AgentSession,
  settings: Settings,
  isInitialized: boolean,
): void {
  peer.handle('initialize', (request) => {
    if (isInitialized) {
      throw new ControlRefusal('Already initialized', {
        pending_permission_requests: peer.pendingPermissionRequests(),
      });
    }
    isInitialized = true;
    takeWishes(request, session, settings);
    return sessionOffer(session);
  });
}

/** What a session has, for hosts to show. */
export function sessionOffer(session: AgentSession) {
  const { core, extensions } = session;
  return {
    commands: session
      .commands()
      .map(({ name, description, argumentHint }) => ({ name, description, argumentHint })),
    agents: extensions.agents.list().map(({ name, description, model }) => ({
      name,
      description,
      ...(model === undefined ? {} : { model }),
    })),
    output_style: extensions.outputStyle.name,
    available_output_styles: extensions.outputStyles.map(({ name }) => name),
    models: offeredModels(core.options.model || DEFAULT_MODEL),
    account: core.model.account,
    claude_code_version: PROTOCOL_VERSION,
    current_permission_mode: core.permissions.mode,
    pid: process.pid,
  };
}

/** Apply what the host says: instructions, a schema, hooks, agents and its in-process servers. */
export function takeWishes(request: JsonObject, session: AgentSession, settings: Settings): void {
  const { systemPrompt, appendSystemPrompt, jsonSchema, hooks, agents, sdkMcpServers } = request;
  const { core, extensions } = session;
  if (request.forwardSubagentText === true) core.forwardsSubAgentText = true;
  session.setSystemPrompt({
    systemPrompt: promptText(systemPrompt),
    appendSystemPrompt: promptText(appendSystemPrompt),
  });
  if (isJsonObject(jsonSchema)) session.setOutputSchema(jsonSchema);
  if (isJsonObject(hooks) && !settings.onlyManagedHooks) core.hooks.setCallbacks(hooks);
  if (isJsonObject(agents))
    extensions.agents.add(agentsOfHost(agents, (message) => core.onProblem({ message })));
  if (!Array.isArray(sdkMcpServers)) return;
  for (const name of sdkMcpServers) {
    if (typeof name === 'string') extensions.mcp.add(name, { type: 'sdk', name }, 'dynamic');
  }
  session.waitFor(extensions.mcp.connect());
}

/** A prompt is a text, or, from newer hosts, a list of texts. The mark in a list is for caches, not for the model. */
function promptText(prompt: unknown): string | undefined {
  if (typeof prompt === 'string') return prompt;
  if (!Array.isArray(prompt)) return undefined;
  const parts = prompt.filter((part) => typeof part === 'string');
  return parts.filter((part) => part !== SYSTEM_PROMPT_DYNAMIC_BOUNDARY).join('\n\n');
}

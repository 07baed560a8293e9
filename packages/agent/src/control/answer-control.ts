import {
  type ControlPeer,
  ControlRefusal,
  isJsonObject,
  isPermissionMode,
  type JsonObject,
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
} from '@signalbox/protocol';
import { PROTOCOL_VERSION } from '../base/version.ts';
import type { AgentSession } from '../conversation/agent-session.ts';
import type { PromptQueue } from '../io/prompt-queue.ts';
import { PermissionModeError } from '../permission/mode-error.ts';
import { agentsOfHost } from '../project/load-agents.ts';
import type { Settings } from '../settings/settings.ts';
import { answerAboutSession } from './answer-about-session.ts';
import { answerFiles } from './answer-files.ts';
import { answerMcp } from './answer-mcp.ts';
import { answerQuestions } from './answer-questions.ts';
import { MODELS } from './models.ts';

/** Answer what a host may ask of a session. Everything else is refused by the peer itself. */
export function answerControl(
  peer: ControlPeer,
  session: AgentSession,
  prompts: PromptQueue,
  settings: Settings,
): void {
  answerQuestions(peer, session);
  answerMcp(peer, session.kit.mcp);
  const { core, thread } = session;
  answerFiles(peer, {
    cwd: thread.toolSession.originalCwd,
    home: thread.toolSession.home,
    directories: () => core.permissions.directories,
    rules: () => core.permissions.rules,
  });
  answerAboutSession(peer, {
    id: () => core.id,
    settings: () => settings.describe(),
    applied: () => ({ model: thread.modelName, effort: core.options.effort ?? null }),
    hooks: () => ({ ...core.hooks.listing() }),
    note: (entry) => thread.log.addNote(entry),
  });
  let isInitialized = false;
  peer.handle('initialize', (request) => {
    if (isInitialized) {
      throw new ControlRefusal('Already initialized', {
        pending_permission_requests: peer.pendingPermissionRequests(),
      });
    }
    isInitialized = true;
    takeWishes(request, session, settings);
    const { kit } = session;
    return {
      commands: session
        .commands()
        .map(({ name, description, argumentHint }) => ({ name, description, argumentHint })),
      agents: kit.agents.list().map(({ name, description, model }) => ({
        name,
        description,
        ...(model === undefined ? {} : { model }),
      })),
      output_style: kit.outputStyle.name,
      available_output_styles: kit.outputStyles.map(({ name }) => name),
      models: MODELS,
      account: core.model.account,
      claude_code_version: PROTOCOL_VERSION,
    };
  });
  peer.handle('interrupt', ({ cancel_queued: cancelQueued }) => {
    const cancelled = cancelQueued === true ? prompts.cancelAll() : [];
    session.interrupt();
    return { still_queued: prompts.waitingIds(), ...(cancelQueued === true ? { cancelled } : {}) };
  });
  peer.handle('cancel_async_message', ({ message_uuid: uuid }) => ({
    cancelled: typeof uuid === 'string' && prompts.cancel(uuid),
  }));
  peer.handle('rewind_files', async ({ user_message_id: id, dry_run: dryRun }) => {
    const { checkpoints } = session.core;
    if (!checkpoints) throw new ControlRefusal('File rewinding is not enabled.');
    return { ...(await checkpoints.rewind(String(id), { dryRun: dryRun === true })) };
  });
  peer.handle('set_model', ({ model }) => {
    session.setModel(typeof model === 'string' ? model : undefined);
  });
  peer.handle('set_max_thinking_tokens', ({ max_thinking_tokens: tokens }) => {
    session.setMaxThinkingTokens(typeof tokens === 'number' ? tokens : undefined);
  });
  peer.handle('set_permission_mode', ({ mode }) => {
    if (typeof mode !== 'string' || !isPermissionMode(mode)) {
      throw new ControlRefusal(`Invalid permission mode: ${String(mode)}`, { error_code: 'invalid_mode' });
    }
    try {
      session.setPermissionMode(mode);
    } catch (error) {
      if (error instanceof PermissionModeError)
        throw new ControlRefusal(error.message, { error_code: error.refusal });
      throw error;
    }
    return { mode };
  });
}

/** What a host brings along: instructions, a schema, hooks, agents and servers that live in it. */
function takeWishes(request: JsonObject, session: AgentSession, settings: Settings): void {
  const { systemPrompt, appendSystemPrompt, jsonSchema, hooks, agents, sdkMcpServers } = request;
  const { core, kit } = session;
  session.setSystemPrompt({
    systemPrompt: promptText(systemPrompt),
    appendSystemPrompt: promptText(appendSystemPrompt),
  });
  if (isJsonObject(jsonSchema)) session.setOutputSchema(jsonSchema);
  if (isJsonObject(hooks) && !settings.onlyManagedHooks) core.hooks.setCallbacks(hooks);
  if (isJsonObject(agents)) kit.agents.add(agentsOfHost(agents, (message) => core.onProblem({ message })));
  if (!Array.isArray(sdkMcpServers)) return;
  for (const name of sdkMcpServers) {
    if (typeof name === 'string') kit.mcp.add(name, { type: 'sdk', name }, 'dynamic');
  }
  session.waitFor(kit.mcp.connect());
}

/** A prompt is a text, or, from newer hosts, a list of texts. The mark in a list is for caches, not for the model. */
function promptText(prompt: unknown): string | undefined {
  if (typeof prompt === 'string') return prompt;
  if (!Array.isArray(prompt)) return undefined;
  const parts = prompt.filter((part) => typeof part === 'string');
  return parts.filter((part) => part !== SYSTEM_PROMPT_DYNAMIC_BOUNDARY).join('\n\n');
}

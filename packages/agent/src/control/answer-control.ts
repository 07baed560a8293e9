import { type ControlPeer, ControlRefusal, isPermissionMode, type JsonObject } from '@signalbox/protocol';
import type { PromptQueue } from '../io/prompt-queue.ts';
import type { AgentSession } from '../loop/agent-session.ts';
import { PROTOCOL_VERSION } from '../version.ts';
import { answerMcp, answerQuestions } from './answer-questions.ts';
import { MODELS } from './models.ts';

/** Answer what a host may ask of a session. Everything else is refused by the peer itself. */
export function answerControl(
  peer: ControlPeer,
  session: AgentSession,
  prompts: PromptQueue,
  launchedForBypass: boolean,
): void {
  answerQuestions(peer, session.core);
  answerMcp(peer);
  let isInitialized = false;
  peer.handle('initialize', ({ systemPrompt, appendSystemPrompt, jsonSchema }) => {
    if (isInitialized) {
      throw new ControlRefusal('Already initialized', {
        pending_permission_requests: peer.pendingPermissionRequests(),
      });
    }
    isInitialized = true;
    session.setSystemPrompt(promptText(systemPrompt), promptText(appendSystemPrompt));
    if (isObject(jsonSchema)) session.setOutputSchema(jsonSchema);
    return {
      commands: [],
      agents: [],
      output_style: 'default',
      available_output_styles: ['default'],
      models: MODELS,
      account: {},
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
    if (mode === 'bypassPermissions' && !launchedForBypass) {
      throw new ControlRefusal(
        'Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions',
        { error_code: 'bypass_not_launched' },
      );
    }
    session.setPermissionMode(mode);
    return { mode };
  });
}

/** A prompt is a text, or, from newer hosts, a list of texts. */
function promptText(prompt: unknown): string | undefined {
  if (typeof prompt === 'string') return prompt;
  return Array.isArray(prompt) ? prompt.filter((part) => typeof part === 'string').join('\n\n') : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

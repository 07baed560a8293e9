import { type ControlPeer, ControlRefusal } from '@signalbox/protocol';
import type { AgentSession } from '../conversation/agent-session.ts';
import type { PromptQueue } from '../io/prompt-queue.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import { answerAboutSession } from './answer-about-session.ts';
import { answerFiles } from './answer-files.ts';
import { answerFlagSettings } from './answer-flag-settings.ts';
import { answerMcp } from './answer-mcp.ts';
import { answerQuestions } from './answer-questions.ts';
import { answerStatusLine } from './answer-status-line.ts';
import { enterMode } from './enter-mode.ts';
import { answerTitles } from './session-title.ts';

/** Answer what a host may ask of a session. Everything else is refused by the peer itself. */
export function answerControl(
  peer: ControlPeer,
  session: AgentSession,
  prompts: PromptQueue,
  settings: LiveSettings,
): void {
  answerQuestions(peer, session);
  answerMcp(peer, session.extensions.mcp);
  const { core, thread } = session;
  answerFiles(peer, {
    cwd: thread.toolSession.originalCwd,
    home: thread.toolSession.home,
    directories: () => core.permissions.directories,
    rules: () => core.permissions.rules,
  });
  answerAboutSession(peer, {
    id: () => core.id,
    settings: () => settings.current.describe(),
    applied: () => ({ model: thread.modelName, effort: core.effort ?? null }),
    hooks: () => ({ ...core.hooks.listing() }),
    note: (entry) => thread.log.addNote(entry),
  });
  answerStatusLine(peer, session);
  answerTitles(peer, core, (entry) => thread.log.addNote(entry));
  answerFlagSettings(peer, session, settings);
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
  peer.handle('set_permission_mode', ({ mode }) => ({ mode: enterMode(session, mode) }));
}

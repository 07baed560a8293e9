import {
  type ControlPeer,
  ControlRefusal,
  HOST_CONTROL_SUBTYPES,
  type JsonObject,
  type PermissionMode,
} from '@signalbox/protocol';
import { titleIn } from '../control/answer-about-session.ts';
import { changeSettings, flagSettingsIn } from '../control/answer-flag-settings.ts';
import { sessionOffer } from '../control/answer-initialize.ts';
import { enterMode } from '../control/enter-mode.ts';
import type { AgentSession } from '../conversation/agent-session.ts';
import type { LiveSettings } from '../settings/live-settings.ts';

/** What a host said about the session to come; undefined is left to the command line. */
export interface ParkedWishes {
  /** The request, as the session is to take it. */
  initialize?: JsonObject;
  model?: string | undefined;
  maxThinkingTokens?: number | undefined;
  permissionMode?: PermissionMode;
  title?: string;
}

/** Answer what needs no session, and keep what the session to come is to know. Everything else is refused until it is there. */
export function answerParked(
  peer: ControlPeer,
  session: AgentSession,
  settings: LiveSettings,
  wishes: ParkedWishes,
): void {
  for (const subtype of HOST_CONTROL_SUBTYPES) {
    peer.handle(subtype, () => {
      throw new ControlRefusal(
        'not_claimed: this process is a spare waiting for claim_session; send this request after the claim',
      );
    });
  }
  peer.handle('initialize', (request) => {
    if (wishes.initialize) throw new ControlRefusal('Already initialized');
    wishes.initialize = request;
    return sessionOffer(session);
  });
  peer.handle('apply_flag_settings', (request) => {
    const changes = flagSettingsIn(request);
    const { model } = changeSettings(settings, changes);
    if ('model' in changes) wishes.model = model;
  });
  peer.handle('set_model', ({ model }) => {
    wishes.model = typeof model === 'string' ? model : undefined;
  });
  peer.handle('set_max_thinking_tokens', ({ max_thinking_tokens: tokens }) => {
    wishes.maxThinkingTokens = typeof tokens === 'number' ? tokens : undefined;
  });
  peer.handle('set_permission_mode', ({ mode }) => {
    wishes.permissionMode = enterMode(session, mode);
    return { mode: wishes.permissionMode };
  });
  peer.handle('rename_session', (request) => {
    wishes.title = titleIn(request);
  });
  peer.handle('get_settings', () => ({ ...settings.current.describe() }));
  peer.handle('mcp_status', () => ({ mcpServers: [] }));
  peer.handle('interrupt', () => ({ still_queued: [] }));
  peer.handle('cancel_async_message', () => ({ cancelled: false }));
}

import { ControlRefusal, isPermissionMode, type PermissionMode } from '@signalbox/protocol';
import type { AgentSession } from '../conversation/agent-session.ts';
import { PermissionModeError } from '../permission/mode-error.ts';

/** Enter the mode that a host asks for. Throws `ControlRefusal`. */
export function enterMode(session: AgentSession, mode: unknown): PermissionMode {
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
  return mode;
}

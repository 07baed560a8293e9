import { type PermissionMode, SignalboxError } from '@signalbox/protocol';

/** Why a mode cannot be entered, as hosts know it. */
export type ModeRefusal = 'bypass_not_launched' | 'bypass_disabled' | 'unsupported';

const REASONS: Readonly<Record<ModeRefusal, string>> = {
  bypass_not_launched: 'the session was not launched with --dangerously-skip-permissions',
  bypass_disabled: 'it is disabled by settings or configuration',
  unsupported: 'this agent does not have it',
};

/** The session may not enter a permission mode. */
export class PermissionModeError extends SignalboxError {
  readonly refusal: ModeRefusal;

  constructor(mode: PermissionMode, refusal: ModeRefusal) {
    super('PERMISSION_MODE_REFUSED', `Cannot set permission mode to ${mode} because ${REASONS[refusal]}`);
    this.refusal = refusal;
  }
}

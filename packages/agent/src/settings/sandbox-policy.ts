/** How commands are confined. Paths are absolute. */
export interface SandboxPolicy {
  readonly isEnabled: boolean;
  /** Commands inside need no permission. */
  readonly autoAllows: boolean;
  /** The model may ask for a command to run outside. */
  readonly mayBeLeft: boolean;
  /** Commands that always run outside. */
  readonly excludedCommands: readonly string[];
  /** Names that can be reached, `*.example.com` for all below one. */
  readonly allowedDomains: readonly string[];
  readonly deniedDomains: readonly string[];
  readonly allowUnixSockets: readonly string[];
  /** What can be written beside the working directories. */
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
  /** What can be read although it is among what is hidden. */
  readonly allowRead: readonly string[];
  readonly denyRead: readonly string[];
}

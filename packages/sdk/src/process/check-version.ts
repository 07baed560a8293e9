/** The oldest agent that speaks the protocol as this package does. */
export const MINIMUM_AGENT_VERSION = '2.0.0';

/** Set, it keeps quiet about old agents. */
export const SKIP_VERSION_CHECK_VARIABLE = 'CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK';

/** Warn when the agent says that it is older than this package can vouch for. */
export function checkVersion(version: string): void {
  if (process.env[SKIP_VERSION_CHECK_VARIABLE] || !isOlder(version)) return;
  // What an agent says must not speak to the terminal that shows it.
  const shown = version.replace(/[^\w.+-]/g, '').slice(0, 50);
  process.emitWarning(
    `Claude Code ${shown} is older than ${MINIMUM_AGENT_VERSION}; some features may not work. ` +
      `Update it, or set ${SKIP_VERSION_CHECK_VARIABLE} to keep this quiet.`,
    { code: 'AGENT_TOO_OLD' },
  );
}

function isOlder(version: string): boolean {
  return Number.parseInt(version, 10) < Number.parseInt(MINIMUM_AGENT_VERSION, 10);
}

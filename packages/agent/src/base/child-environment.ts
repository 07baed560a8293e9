/** What our programs hand each other: whoever has it speaks for the person at a hub, or for the session at its host. */
const OWN_SECRETS = /^(?:SIGNALBOX_(?:TOKEN|TOKEN_FILE|AGENT_VARIABLES)|CLAUDE_CODE_SESSION_ACCESS_TOKEN)$/;

/**
 * The environment of what the agent starts: its own without our secrets, and what is given on purpose. Keys for models
 * that a person has set stay, as with `claude`: programs that people run rely on them.
 */
export function childEnvironment(
  env: NodeJS.ProcessEnv,
  given: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !OWN_SECRETS.test(name));
  return { ...Object.fromEntries(kept), ...given };
}

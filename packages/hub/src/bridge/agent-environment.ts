import { BridgeOptionsError } from './bridge-errors.ts';

/** What a parent agent left for itself, and what is between the bridge and its hub. */
const WITHHELD =
  /^(CLAUDECODE|CLAUDE_CODE_.*|CLAUDE_AGENT_SDK_.*|SIGNALBOX_(TOKEN|TOKEN_FILE|BRIDGE|AGENT_VARIABLES))$/;

/** How a launcher hands variables for the agent to its bridge: as JSON, so that none of them acts on the bridge. */
export const AGENT_VARIABLES = 'SIGNALBOX_AGENT_VARIABLES';

/** The environment of an agent: the bridge's own without what is not its business, and what it was given on purpose. */
export function agentEnvironment(
  env: NodeJS.ProcessEnv,
  given: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !WITHHELD.test(name));
  return { ...Object.fromEntries(kept), ...given };
}

/** What a launcher handed over for the agent. */
export function handedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return JSON.parse(env[AGENT_VARIABLES] ?? '{}');
}

/** Read `NAME=value`, and `NAME` for a variable of this process: that way a secret is on no command line. */
export function readAssignments(words: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
      const found = value ?? env[name ?? ''];
      if (name === undefined || found === undefined)
        throw new BridgeOptionsError(`--env ${word}: there is no such variable. Write --env NAME=value.`);
      return [name, found];
    }),
  );
}

/** How the agent was started: by a person in a terminal, to print or be driven, or to serve its tools. */
export type EntryPoint = 'cli' | 'sdk-cli' | 'mcp';

/** Who started the agent, as its tools and the API are told; what a host has set already stays. */
export function entryPoint(env: NodeJS.ProcessEnv, entry: EntryPoint): string {
  if (env.CLAUDE_CODE_ENTRYPOINT) return env.CLAUDE_CODE_ENTRYPOINT;
  return entry !== 'mcp' && isTrue(env.CLAUDE_CODE_ACTION) ? 'claude-code-github-action' : entry;
}

/** How long the agent waits for the next prompt before it leaves; undefined means for ever. */
export function idleExitMs({
  CLAUDE_CODE_EXIT_AFTER_STOP_DELAY: text,
}: NodeJS.ProcessEnv): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function isTrue(text: string | undefined): boolean {
  return ['1', 'true', 'yes', 'on'].includes((text ?? '').toLowerCase());
}

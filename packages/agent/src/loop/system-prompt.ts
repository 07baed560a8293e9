import type { AgentOptions } from '../command-line/agent-options.ts';

/** What the model is told before the conversation. */
export function systemPrompt(
  {
    systemPrompt: given,
    appendSystemPrompt: appended,
  }: Pick<AgentOptions, 'systemPrompt' | 'appendSystemPrompt'>,
  cwd: string,
): string {
  // An empty prompt from a host means that it has nothing to say, not that the model is to know nothing.
  const base = given || builtIn(cwd);
  return appended ? `${base}\n\n${appended}` : base;
}

function builtIn(cwd: string): string {
  return `You are a coding agent. You work in a folder on someone's machine, with tools to read and write files and to run commands.
Do what is asked, no more and no less; look before you change; check that what you did works; say plainly what you did and what you could not do.

Working directory: ${cwd}
Platform: ${process.platform}`;
}

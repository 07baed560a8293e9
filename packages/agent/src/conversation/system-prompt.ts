import type { AgentOptions } from '../command-line/agent-options.ts';
import type { Extensions } from '../loop/extensions.ts';
import { skillListing } from '../project/command-catalog.ts';

/** What a host or the command line says in place of, or after, the built-in instructions. */
export type GivenPrompt = Pick<AgentOptions, 'systemPrompt' | 'appendSystemPrompt'>;

/** What the model is told before the conversation, what changes rarely first. */
export function systemPrompt(
  { systemPrompt: given, appendSystemPrompt: appended = '' }: GivenPrompt,
  { memory, outputStyle, catalog, mcp }: Extensions,
  cwd: string,
): string[] {
  const { keepsCodingInstructions, prompt: style } = outputStyle;
  const built = [keepsCodingInstructions ? INSTRUCTIONS : '', style, place(cwd)].filter(Boolean).join('\n\n');
  const skills = skillListing(catalog.forModel());
  return [
    // An empty prompt from a host means that it has nothing to say, not that the model is to know nothing.
    given || built,
    memory,
    skills && `The skills that the Skill tool has:\n${skills}`,
    mcp.instructions(),
    appended,
  ].filter(Boolean);
}

const INSTRUCTIONS = `You are a coding agent. You work in a folder on someone's machine, with tools to read and write files and to run commands.
Do what is asked, no more and no less; look before you change; check that what you did works; say plainly what you did and what you could not do.`;

function place(cwd: string): string {
  return `Working directory: ${cwd}\nPlatform: ${process.platform}`;
}

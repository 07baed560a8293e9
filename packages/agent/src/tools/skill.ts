import * as z from 'zod/mini';
import { ToolFailure } from '../base/tool-failure.ts';
import { expandCommand, promptText } from '../project/expand-command.ts';
import type { ProjectCommand } from '../project/project-command.ts';
import { defineTool, type Tool, type ToolCallContext } from './tool.ts';

/** What a skill may do on its way to the model; the session's permissions decide. */
export interface SkillToolOptions {
  readonly runShell: (command: string, context: ToolCallContext) => Promise<string>;
  readonly mayRead: (path: string) => boolean;
  readonly onProblem: (text: string) => void;
  /** Called with each skill that the model gets: it may grant permissions. */
  readonly onUse?: (skill: ProjectCommand) => void;
}

/** The tool by which the model asks for a skill, or for a command that it may use. */
export function skillTool(
  find: (name: string) => ProjectCommand | undefined,
  { runShell, mayRead, onProblem, onUse }: SkillToolOptions,
): Tool {
  return defineTool({
    name: 'Skill',
    description: [
      'Get the instructions of a skill: knowledge and steps that people have written down for a kind of work.',
      '- When a listed skill fits what is asked for, get it before anything else, and then follow it.',
      '- A user who writes /name means the skill of that name.',
      '- Name only skills that were listed, and do not get again what you have.',
    ].join('\n'),
    input: z.object({
      skill: z.string().check(z.minLength(1)),
      args: z.optional(z.string()),
    }),
    isReadOnly: true,
    async run({ skill, args = '' }, context) {
      const command = find(skill);
      if (!command) throw new ToolFailure(`There is no skill "${skill}". Use one of those that were listed.`);
      if (!command.modelMayInvoke) {
        throw new ToolFailure(
          `Only the user may start "${command.name}". Do not do its work in another way; tell them that /${command.name} does it.`,
        );
      }
      const { session } = context;
      const expanded = await expandCommand(command, args, {
        cwd: session.originalCwd,
        home: session.home,
        sessionId: session.id,
        runShell: (line) => runShell(line, context),
        mayRead,
        onProblem,
      });
      onUse?.(command);
      return {
        content: promptText(expanded),
        structured: { success: true, commandName: command.name },
      };
    },
  });
}

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { CommandCatalog } from '../../src/project/command-catalog.ts';
import { loadCommands } from '../../src/project/load-commands.ts';
import { loadSkills } from '../../src/project/load-skills.ts';
import { skillTool } from '../../src/tools/skill.ts';
import { openBench } from '../tools/tool-bench.ts';
import { projectFolder } from './project-folder.ts';

describe('Skill', () => {
  it('[PF39] hands over a skill with its folder, its arguments and what its command lines print', async () => {
    const { location, file, path } = await projectFolder();
    await file('repo/.claude/skills/pdf/SKILL.md', 'Read $0 in !`pwd`');
    await file('repo/.claude/commands/fix.md', 'Fix $ARGUMENTS');
    await file('repo/.claude/commands/deploy.md', '---\ndisable-model-invocation: true\n---\nDeploy');
    const catalog = new CommandCatalog(await loadSkills(location), await loadCommands(location));
    const { session, run } = await openBench();
    const tool = skillTool((name) => catalog.find(name), {
      runShell: async (line, context) =>
        execFileSync('sh', ['-c', line], { cwd: context.session.cwd, encoding: 'utf8' }),
      mayRead: () => true,
      onProblem: location.onProblem,
    });
    expect(await run(tool, { skill: 'pdf', args: 'a.pdf' })).toEqual({
      content: `Base directory of this skill: ${path('repo/.claude/skills/pdf')}\n\nRead a.pdf in ${session.cwd}`,
      structured: { success: true, commandName: 'pdf' },
    });
    expect(await run(tool, { skill: '/fix', args: 'it' })).toEqual({
      content: 'Fix it',
      structured: { success: true, commandName: 'fix' },
    });
    await expect(run(tool, { skill: 'nope' })).rejects.toThrow('There is no skill "nope"');
    await expect(run(tool, { skill: 'deploy' })).rejects.toThrow('Only the user may start "deploy"');
    await expect(run(tool, { args: 'x' })).rejects.toMatchObject({ code: 'TOOL_INPUT_INVALID' });
  });

  it('[PF39] does not hand over a skill whose command line was refused', async () => {
    const { location, file } = await projectFolder();
    await file('repo/.claude/skills/s/SKILL.md', '!`rm -rf /`');
    const catalog = new CommandCatalog(await loadSkills(location));
    const { run } = await openBench();
    const tool = skillTool((name) => catalog.find(name), {
      runShell: () => Promise.reject(new Error('denied')),
      mayRead: () => true,
      onProblem: location.onProblem,
    });
    await expect(run(tool, { skill: 's' })).rejects.toThrow('denied');
  });
});

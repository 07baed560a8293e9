import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { CommandCatalog, MAX_LISTING_CHARS, skillListing } from '../../src/project/command-catalog.ts';
import {
  expandCommand,
  MAX_MENTIONED_FILES,
  MAX_SHELL_CHARS,
  promptText,
} from '../../src/project/expand-command.ts';
import { loadCommands } from '../../src/project/load-commands.ts';
import { loadNestedSkills, loadSkills } from '../../src/project/load-skills.ts';
import { MAX_DESCRIPTION_CHARS, type ProjectCommand } from '../../src/project/project-command.ts';
import { type ProjectFolder, projectFolder } from './project-folder.ts';

/** The command that a body makes. */
async function commandWith(folder: ProjectFolder, body: string): Promise<ProjectCommand> {
  await folder.file('repo/.claude/commands/c.md', body);
  const command = (await loadCommands(folder.location)).find(({ name }) => name === 'c');
  if (!command) throw new Error(folder.problems.join('\n'));
  return command;
}

async function expandsTo(body: string, args: string, text: string): Promise<void> {
  const folder = await projectFolder();
  expect(await expandCommand(await commandWith(folder, body), args, folder.expansion)).toMatchObject({
    text,
  });
}

describe('custom commands', () => {
  it('[PF9] are named after their folders and files, and described by a field or their first line', async () => {
    const { location, file, problems } = await projectFolder();
    await file(
      'repo/.claude/commands/fix.md',
      '---\ndescription: Fix it\nargument-hint: [issue]\nallowed-tools: Read, Bash(git log:*)\nmodel: opus\ndisable-model-invocation: Yes\narguments: issue branch\nwhen_to_use: Often\n---\nFix $1',
    );
    await file('repo/.claude/commands/web/ui/button.md', '\n## Make a button\nround');
    await file('home/.claude/commands/mine.md', 'x'.repeat(5000));
    await file('repo/.claude/commands/readme.txt', 'no command');
    const commands = await loadCommands(location);
    expect(commands.map(({ name }) => name)).toEqual(['mine', 'fix', 'web:ui:button']);
    expect(commands).toMatchObject([
      {
        description: 'x'.repeat(MAX_DESCRIPTION_CHARS),
        source: 'user',
        modelMayInvoke: true,
        userMayInvoke: true,
      },
      {
        kind: 'command',
        description: 'Fix it',
        argumentHint: '[issue]',
        argumentNames: ['issue', 'branch'],
        allowedTools: ['Read', 'Bash(git log:*)'],
        model: 'opus',
        modelMayInvoke: false,
        whenToUse: 'Often',
        body: 'Fix $1',
        source: 'project',
      },
      { description: 'Make a button' },
    ]);
    expect(problems).toEqual([]);
  });

  it('[PF10] come from the person, the folders up to that of the repository, and added folders', async () => {
    const { location, file } = await projectFolder('repo/packages/web');
    await file('home/.claude/commands/a.md', 'user');
    await file('repo/packages/web/.claude/commands/a.md', 'web');
    await file('repo/packages/web/.claude/commands/b.md', 'web');
    await file('repo/.claude/commands/b.md', 'root');
    await file('repo/.claude/commands/c.md', 'root');
    await file('added/.claude/commands/c.md', 'added');
    await file('added/.claude/commands/d.md', 'added');
    await file('.claude/commands/e.md', 'above the repository');
    const bodies = async (more: Partial<typeof location>): Promise<string[]> =>
      new CommandCatalog(await loadCommands({ ...location, ...more }))
        .list()
        .map(({ name, body }) => `${name} ${body}`)
        .toSorted();
    const additionalDirectories = ['../../../added'];
    expect(await bodies({ additionalDirectories })).toEqual(['a user', 'b web', 'c root', 'd added']);
    expect(await bodies({ sources: ['user'], additionalDirectories })).toEqual(['a user']);
    expect(await bodies({ sources: ['project'] })).toEqual(['a web', 'b web', 'c root']);
    expect(await bodies({ sources: [] })).toEqual([]);
  });

  it('[PF10] in the home folder are those of the person, once; a skill comes before a command', async () => {
    const { location, file, path } = await projectFolder('home');
    await file('home/.claude/commands/a.md', 'command');
    await file('home/.claude/skills/a/SKILL.md', 'skill');
    const commands = await loadCommands({ ...location, cwd: path('home') });
    expect(commands).toHaveLength(1);
    expect(new CommandCatalog(commands, await loadSkills(location)).find('/a')?.body).toBe('skill');
  });
});

describe('a command with its arguments', () => {
  it.each([
    ['All: $ARGUMENTS.', 'one "two words"  three', 'All: one "two words"  three.'],
    ['$0|$1|$2|$ARGUMENTS[1]', 'one "two words" three', 'one|two words|three|two words'],
    [
      '$0 $5 $ARGUMENTS[7] $HOME ${HOME} $ARGUMENTS_X $',
      'a',
      'a $5 $ARGUMENTS[7] $HOME ${HOME} $ARGUMENTS_X $',
    ],
    ['costs \\$1.00, \\$ARGUMENTS, \\$x, \\\\$0', 'a', 'costs $1.00, $ARGUMENTS, \\$x, \\\\a'],
    ['---\narguments: [issue, branch]\n---\n$issue on $branch, $other', 'one', 'one on , $other'],
    ['$0|$1|$2|$3', `'a b' "c \\" d" e\\ f don't`, `a b|c " d|e f|don't`],
    ['-$ARGUMENTS-', '  ', '--'],
  ])('[PF11] %j with %j', expandsTo);

  it.each([
    ['$0 and $1', '"$1 $ARGUMENTS \\$0" two', '$1 $ARGUMENTS $0 and two'],
    ['$ARGUMENTS', '$ARGUMENTS ${CLAUDE_PROJECT_DIR} $0 $& $`', '$ARGUMENTS ${CLAUDE_PROJECT_DIR} $0 $& $`'],
    [
      'Look: $ARGUMENTS',
      '!`touch evil` and\n```!\ntouch evil\n```',
      'Look: !`touch evil` and\n```!\ntouch evil\n```',
    ],
    ['!$0', '"`touch evil`"', '!`touch evil`'],
  ])('[PF12] what stands in arguments is text: %j with %j', expandsTo);

  it('[PF12] nor is a file read because arguments mention it', async () => {
    const folder = await projectFolder();
    await folder.file('repo/a.txt', 'A');
    const command = await commandWith(folder, 'Look at $ARGUMENTS');
    expect((await expandCommand(command, '@a.txt', folder.expansion)).files).toEqual([]);
  });

  it.each([
    ['No place for them', 'a b', 'No place for them\n\nARGUMENTS: a b'],
    ['Only $4 here\n', 'a', 'Only $4 here\n\nARGUMENTS: a'],
    ['None given', ' ', 'None given'],
  ])('[PF13] arguments that no placeholder takes follow at the end: %j with %j', expandsTo);

  it('[PF14] command lines are run in their order, and what they print stands in their place', async () => {
    const folder = await projectFolder();
    const command = await commandWith(
      folder,
      'Status: !`echo $0`, x!`no` and `!no`\n!`printf a`\n```!\necho one\necho two\n```\nEnd !`echo end`',
    );
    const lines: string[] = [];
    const runShell = async (line: string): Promise<string> => {
      lines.push(line);
      return execFileSync('sh', ['-c', line], { encoding: 'utf8' });
    };
    const { text } = await expandCommand(command, 'clean', { ...folder.expansion, runShell });
    expect(text).toBe('Status: clean, x!`no` and `!no`\na\none\ntwo\nEnd end');
    expect(lines).toEqual(['echo clean', 'printf a', 'echo one\necho two', 'echo end']);
  });

  it('[PF14] what is printed is bounded and text, and a refusal ends it', async () => {
    const folder = await projectFolder();
    const command = await commandWith(folder, '!`flood`\n```!\nnot closed');
    const { text } = await expandCommand(command, 'x', {
      ...folder.expansion,
      runShell: () => Promise.resolve('$0 !`evil`'.padEnd(MAX_SHELL_CHARS + 5, 'y')),
    });
    expect(text).toHaveLength(MAX_SHELL_CHARS + '\n```!\nnot closed'.length + '\n\nARGUMENTS: x'.length);
    expect(text).toMatch(/^\$0 !`evil`y/);
    const runShell = (): Promise<string> => Promise.reject(new Error('denied'));
    await expect(expandCommand(command, '', { ...folder.expansion, runShell })).rejects.toThrow('denied');
  });

  it('[PF15] the files it mentions come along, if they may be read', async () => {
    const folder = await projectFolder();
    const a = await folder.file('repo/a.txt', 'A');
    const spaced = await folder.file('repo/b c.txt', 'BC');
    const own = await folder.file('home/own.txt', 'OWN');
    const secret = await folder.file('repo/.env', 'KEY');
    await folder.file('repo/code.txt', 'CODE');
    const command = await commandWith(
      folder,
      'See @$0, @b\\ c.txt (and @a.txt) @~/own.txt @.env @missing @. me@a.txt `@code.txt`\n```\n@code.txt\n```',
    );
    const { text, files } = await expandCommand(command, 'a.txt', {
      ...folder.expansion,
      mayRead: (path) => path !== secret,
    });
    expect(files).toEqual([
      { path: a, text: 'A' },
      { path: spaced, text: 'BC' },
      { path: own, text: 'OWN' },
    ]);
    expect(folder.problems).toEqual([`${secret}: may not be read without asking. It is left out.`]);
    expect(promptText({ text, files: files.slice(0, 1) })).toBe(`Content of ${a}:\n\nA\n\n${text}`);
  });

  it('[PF15] their number is bounded, and one that is no text is named', async () => {
    const folder = await projectFolder();
    const bad = await folder.file('repo/bad.bin', Uint8Array.of(0xff));
    const names = Array.from({ length: MAX_MENTIONED_FILES + 1 }, (_, at) => `f${at}`);
    for (const name of names) await folder.file(`repo/${name}`, name);
    const command = await commandWith(folder, ['@bad.bin', ...names.map((name) => `@${name}`)].join('\n'));
    const { files } = await expandCommand(command, '', folder.expansion);
    expect(files).toHaveLength(MAX_MENTIONED_FILES);
    expect(folder.problems).toEqual([
      `${bad}: is not UTF-8 text. It is left out.`,
      expect.stringContaining(`more than ${MAX_MENTIONED_FILES} files`),
    ]);
  });

  it('[PF16] variables stand for folders and the session, in the text and in rules', async () => {
    const folder = await projectFolder();
    await folder.file(
      'repo/.claude/skills/s/SKILL.md',
      '---\nallowed-tools: Bash(${CLAUDE_SKILL_DIR}/run.sh *), Read(${CLAUDE_PROJECT_DIR}/x)\n---\n${CLAUDE_SKILL_DIR} ${CLAUDE_PROJECT_DIR} ${CLAUDE_SESSION_ID} ${CLAUDE_PLUGIN_ROOT} \\${CLAUDE_SKILL_DIR}',
    );
    const [skill] = await loadSkills(folder.location);
    const dir = folder.path('repo/.claude/skills/s');
    expect(skill?.allowedTools).toEqual([`Bash(${dir}/run.sh *)`, `Read(${folder.path('repo')}/x)`]);
    const { text } = await expandCommand(skill ?? fail(), '', { ...folder.expansion, sessionId: 'abc' });
    expect(text.split('\n').at(-1)).toBe(`${dir} ${folder.path('repo')} abc \${CLAUDE_PLUGIN_ROOT} \\${dir}`);
  });

  it('[PF17] without trust a project cannot say what needs no permission', async () => {
    const { location, file } = await projectFolder();
    const text = '---\nallowed-tools: Bash\ndisallowed-tools: Write\n---\nx';
    await file('repo/.claude/commands/a.md', text);
    await file('repo/.claude/skills/b/SKILL.md', text);
    await file('home/.claude/commands/c.md', text);
    const untrusted = { ...location, trustsProject: false };
    const rules = [...(await loadCommands(untrusted)), ...(await loadSkills(untrusted))].map(
      ({ name, allowedTools, disallowedTools }) => [name, allowedTools, disallowedTools],
    );
    expect(rules).toEqual([
      ['c', ['Bash'], ['Write']],
      ['a', [], ['Write']],
      ['b', [], ['Write']],
    ]);
  });
});

describe('skills', () => {
  it('[PF18] are folders with a file SKILL.md, and tell the model where they lie', async () => {
    const folder = await projectFolder();
    await folder.file(
      'home/.claude/skills/pdf/SKILL.md',
      '---\nname: pdf-tools\ndescription: Reads PDFs\nuser-invocable: false\n---\nUse it on $0.',
    );
    await folder.file('repo/.claude/skills/none/README.md', 'no skill');
    await folder.file('repo/.claude/skills/SKILL.md', 'not in a folder');
    const skills = await loadSkills(folder.location);
    expect(skills).toMatchObject([{ kind: 'skill', name: 'pdf', alias: 'pdf-tools', userMayInvoke: false }]);
    const catalog = new CommandCatalog(skills);
    expect([catalog.find('pdf'), catalog.find('/pdf-tools')]).toEqual([skills[0], skills[0]]);
    expect([catalog.forModel().length, catalog.forUser().length]).toEqual([1, 0]);
    const { text } = await expandCommand(skills[0] ?? fail(), 'a.pdf', folder.expansion);
    expect(text).toBe(
      `Base directory of this skill: ${folder.path('home/.claude/skills/pdf')}\n\nUse it on a.pdf.`,
    );
  });

  it('[PF18] of two with the same name the person’s holds, and the other is known by its other name', async () => {
    const { location, file } = await projectFolder();
    await file('home/.claude/skills/deploy/SKILL.md', 'user');
    await file('repo/.claude/skills/deploy/SKILL.md', '---\nname: ship\n---\nproject');
    const catalog = new CommandCatalog(await loadSkills(location));
    expect(catalog.list().map(({ name, body }) => [name, body])).toEqual([
      ['deploy', 'user'],
      ['ship', 'project'],
    ]);
  });

  it('[PF19] may be links to folders, each read once; their file must lie in them', async () => {
    const { location, file, link, problems } = await projectFolder();
    await file('home/shared/lint/SKILL.md', 'lint');
    await file('home/.ssh/id', 'SECRET');
    await link('home/.claude/skills/lint', '../../shared/lint');
    await link('repo/.claude/skills/lint2', '../../../home/shared/lint');
    await link('repo/.claude/skills/key/SKILL.md', '../../../../home/.ssh/id');
    expect((await loadSkills(location)).map(({ name }) => name)).toEqual(['lint']);
    expect(problems).toEqual([expect.stringMatching(/key\/SKILL\.md: leads to .*outside of/)]);
  });

  it('[PF20] of folders below are found for a file in them, and named after the folder where names clash', async () => {
    const { location, file, path } = await projectFolder();
    await file('repo/.claude/skills/deploy/SKILL.md', 'root');
    await file('repo/apps/web/.claude/skills/deploy/SKILL.md', 'web');
    await file('repo/apps/.claude/skills/test/SKILL.md', 'apps');
    const catalog = new CommandCatalog(await loadSkills(location));
    catalog.add(await loadNestedSkills(location, path('repo/apps/web/src/a.ts')));
    expect(catalog.list().map(({ name, body }) => [name, body])).toEqual([
      ['deploy', 'root'],
      ['apps/web:deploy', 'web'],
      ['test', 'apps'],
    ]);
    expect(await loadNestedSkills(location, path('repo/a.ts'))).toEqual([]);
    expect(await loadNestedSkills(location, path('home/a.ts'))).toEqual([]);
  });

  it('[PF21] are listed for the model within a limit, names always', async () => {
    const { location, file } = await projectFolder();
    const long = `---\ndescription: "Long\\n ${'x'.repeat(1500)}"\n---\n`;
    const names = Array.from({ length: 20 }, (_, at) => `s${at + 10}`);
    for (const name of names) await file(`repo/.claude/skills/${name}/SKILL.md`, long);
    const lines = skillListing(await loadSkills(location)).split('\n');
    expect(lines[0]).toMatch(/^- s10: Long x+$/);
    expect(lines.at(-1)).toBe('- s29');
    expect(lines).toHaveLength(20);
    expect(lines.join('\n').length).toBeLessThan(MAX_LISTING_CHARS + 200);
  });
});

function fail(): never {
  throw new Error('There is none.');
}

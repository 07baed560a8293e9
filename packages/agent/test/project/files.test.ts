import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, MAX_ENTRIES } from '../../src/project/find-files.ts';
import { MAX_FRONT_MATTER_CHARS, parseMarkdown } from '../../src/project/front-matter.ts';
import { loadCommands } from '../../src/project/load-commands.ts';
import { MAX_FILE_BYTES } from '../../src/project/read-text.ts';
import { projectFolder } from './project-folder.ts';

describe('front matter', () => {
  it('[PF1] is YAML between a first line --- and the next one; the rest is the body', async () => {
    const { fields, body } = await parseMarkdown(
      'a.md',
      '---\nname: a\nlist: [x, y]\n---\n\nBody\n---\nmore\n',
    );
    expect([fields.text('name'), fields.list('list'), body]).toEqual(['a', ['x', 'y'], 'Body\n---\nmore\n']);
    for (const text of ['Body', ' ---\nname: a\n---\n', '\n---\nname: a\n---', '']) {
      const whole = await parseMarkdown('a.md', text);
      expect([whole.fields.get('name'), whole.body]).toEqual([undefined, text]);
    }
    expect((await parseMarkdown('a.md', '---\n---\nBody')).body).toBe('Body');
  });

  it('[PF1] line ends and a byte order mark make no difference', async () => {
    const { location, file, problems } = await projectFolder();
    await file('repo/.claude/commands/a.md', '\uFEFF---\r\ndescription: A\r\n---\r\nOne\r\nTwo');
    expect(await loadCommands(location)).toMatchObject([{ description: 'A', body: 'One\nTwo' }]);
    expect(problems).toEqual([]);
  });

  it.each([
    ['---\na: 1\nb: {\n---\n', 3],
    ['---\na: "x\n---\n', 2],
    ['---\nname: a\ndisallowed-tools: [Bash, Write\n---\n', 3],
    ['---\na: 1\na: 2\n---\n', 3],
    ['---\na: 1\n', 1],
    ['---\n- a\n- b\n---\n', 2],
    ['---\njust text\n---\n', 2],
  ])('[PF2] %j is a problem that names file and line, and takes no other file along', async (text, line) => {
    const { location, file, problems } = await projectFolder();
    const bad = await file('repo/.claude/commands/bad.md', text);
    await file('repo/.claude/commands/good.md', 'Good');
    expect(await loadCommands(location)).toMatchObject([{ name: 'good' }]);
    expect(problems).toEqual([expect.stringContaining(`${bad}:${line}: `)]);
  });

  it.each([
    ['argument-hint: [file] [format]', 'argument-hint', '[file] [format]'],
    ['description: Use it when: there is a colon', 'description', 'Use it when: there is a colon'],
    ['description: @mention first', 'description', '@mention first'],
    ['description: `code` first', 'description', '`code` first'],
    ['description: *important*', 'description', '*important*'],
  ])('[PF3] %s is understood, though it is not YAML', async (line, field, value) => {
    const { fields } = await parseMarkdown('a.md', `---\nname: a\n${line}\nmodel: opus\n---\n`);
    expect([fields.get('name'), fields.get(field), fields.get('model')]).toEqual(['a', value, 'opus']);
  });

  it.each([
    ['description: {a: 1}', 'description'],
    ['allowed-tools: [1, 2]', 'allowed-tools'],
    ['disallowed-tools: [Bash] [Write]', 'disallowed-tools'],
    ['disable-model-invocation: perhaps', 'disable-model-invocation'],
  ])('[PF4] %s is a problem that names file and field', async (line, field) => {
    const { location, file, problems } = await projectFolder();
    const bad = await file('repo/.claude/commands/bad.md', `---\n${line}\n---\n`);
    expect(await loadCommands(location)).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${bad}: .*\`${field}\``))]);
  });

  it.each([
    [
      'aliases',
      `a: &a [${'x,'.repeat(20)}]\n${'bcdefg'.replaceAll(/./g, (to) => `${to}: &${to} [${`*${String.fromCharCode(to.charCodeAt(0) - 1)},`.repeat(20)}]\n`)}`,
    ],
    ['nesting', `a: ${'['.repeat(16_000)}`],
    ['length', `a: ${'x'.repeat(MAX_FRONT_MATTER_CHARS)}`],
    ['lines', 'a: [\n'.repeat(3000)],
  ])('[PF5] its %s can neither blow up nor hang', async (_, yaml) => {
    const { location, file, problems } = await projectFolder();
    const bad = await file('repo/.claude/commands/bad.md', `---\n${yaml}\n---\n`);
    expect(await loadCommands(location)).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(bad)]);
  });

  it('[PF5] names of values are nothing but names', async () => {
    const { fields } = await parseMarkdown('a.md', '---\n__proto__: {name: evil}\nconstructor: x\n---\n');
    expect([fields.get('name'), fields.get('toString'), fields.text('constructor')]).toEqual([
      undefined,
      undefined,
      'x',
    ]);
  });
});

describe('files and folders', () => {
  it('[PF6] a file that is too large, no UTF-8 or no plain file is left out and named', async () => {
    const { location, file, path, problems } = await projectFolder();
    await file('repo/.claude/commands/a-large.md', 'x'.repeat(MAX_FILE_BYTES + 1));
    await file('repo/.claude/commands/b-latin.md', Uint8Array.of(0x61, 0xe4, 0x62));
    execFileSync('mkfifo', [path('repo/.claude/commands/c-pipe.md')]);
    await file('repo/.claude/commands/d-full.md', 'x'.repeat(MAX_FILE_BYTES));
    expect(await loadCommands(location)).toMatchObject([{ name: 'd-full' }]);
    expect(problems).toEqual([
      expect.stringMatching(/a-large\.md: is larger than 256 KiB/),
      expect.stringMatching(/b-latin\.md: is not UTF-8/),
      expect.stringMatching(/c-pipe\.md: is not a plain file/),
    ]);
  });

  it('[PF7] folders that are not there, or are none, hold nothing', async () => {
    const { location, file, problems } = await projectFolder();
    await file('repo/.claude/commands', 'a file');
    expect(await loadCommands(location)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('[PF7] links in a circle end, and those to nothing are named', async () => {
    const { location, file, link, problems } = await projectFolder();
    await file('repo/.claude/commands/in/a.md', 'A');
    await link('repo/.claude/commands/in/again', '..');
    await link('repo/.claude/commands/self', 'self');
    await link('repo/.claude/commands/gone.md', 'nowhere.md');
    await file('repo/.claude/commands/.hidden/b.md', 'B');
    expect((await loadCommands(location)).map(({ name }) => name)).toEqual(['in:a']);
    expect(problems).toEqual([expect.stringContaining('gone.md'), expect.stringContaining('self')]);
  });

  it('[PF7] a folder that cannot be read is named', async () => {
    const { location, link, problems } = await projectFolder();
    await link('home/.claude/commands', 'commands');
    expect(await loadCommands(location)).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(/home\/\.claude\/commands: cannot be read/)]);
  });

  it('[PF7] depth and number are bounded', async () => {
    const { location, file, path, problems } = await projectFolder();
    const deepest = 'd/'.repeat(MAX_DEPTH);
    await file(`repo/.claude/commands/${deepest}a.md`, 'A');
    await file(`repo/.claude/commands/${deepest}d/b.md`, 'B');
    expect(await loadCommands(location)).toMatchObject([{ body: 'A' }]);
    expect(problems).toEqual([expect.stringContaining(`deeper than ${MAX_DEPTH} folders`)]);
    await mkdir(path('home/.claude/commands'));
    execFileSync('sh', ['-c', `seq ${MAX_ENTRIES + 1} | xargs touch`], {
      cwd: path('home/.claude/commands'),
    });
    expect(await loadCommands(location)).toMatchObject([{ body: 'A' }]);
    expect(problems).toContainEqual(expect.stringContaining(`more than ${MAX_ENTRIES} files`));
  });

  it('[PF8] what a project links to outside of itself is not read; what a person links to is', async () => {
    const { location, file, link, problems } = await projectFolder();
    await file('home/.ssh/id.md', 'SECRET');
    await file('repo/shared/x.md', 'X');
    await link('repo/.claude/commands/key.md', '../../../home/.ssh/id.md');
    await link('repo/.claude/commands/ssh', '../../../home/.ssh');
    await link('repo/.claude/commands/shared', '../../shared');
    await link('home/.claude/commands/own', '../../.ssh');
    expect((await loadCommands(location)).map(({ name }) => name)).toEqual(['own:id', 'shared:x']);
    expect(problems).toEqual([
      expect.stringMatching(/key\.md: leads to .*id\.md, which is outside of/),
      expect.stringMatching(/ssh: leads to .*\.ssh, which is outside of/),
    ]);
  });

  it('[PF8] nor is a whole folder that leads out', async () => {
    const { location, file, link, problems } = await projectFolder();
    await file('home/notes/commands/a.md', 'SECRET');
    await link('repo/.claude', '../home/notes');
    expect(await loadCommands(location)).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('outside of')]);
  });
});

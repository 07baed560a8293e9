import { describe, expect, it } from 'vitest';
import { loadMemory, loadNestedMemory } from '../../src/project/load-memory.ts';
import { memoryText } from '../../src/project/memory-entry.ts';
import { MAX_IMPORT_DEPTH, MAX_MEMORY_CHARS, MAX_MEMORY_FILES } from '../../src/project/memory-reader.ts';
import { MAX_FILE_BYTES } from '../../src/project/read-text.ts';
import { projectFolder } from './project-folder.ts';

describe('memory', () => {
  it('[PF27] is that of the organisation, the person, then the folders from the root down', async () => {
    const { location, file, path, problems } = await projectFolder('repo/web');
    for (const name of [
      'etc/CLAUDE.md',
      'etc/.claude/rules/all.md',
      'home/.claude/CLAUDE.md',
      'home/.claude/rules/own.md',
      'CLAUDE.md',
      'repo/CLAUDE.md',
      'repo/.claude/rules/b.md',
      'repo/.claude/rules/a/z.md',
      'repo/CLAUDE.local.md',
      'repo/web/CLAUDE.md',
      'repo/web/.claude/CLAUDE.md',
      'repo/web/CLAUDE.local.md',
      'repo/web/below/CLAUDE.md',
      'added/CLAUDE.md',
    ]) {
      await file(name, `in ${name}`);
    }
    const read = async (more: Partial<typeof location>): Promise<string[]> =>
      (await loadMemory({ ...location, managedDir: path('etc'), ...more }))
        .filter((entry) => entry.path.startsWith(path('')))
        .map((entry) => `${entry.kind} ${entry.text.slice(3)}`);
    const managed = ['managed etc/CLAUDE.md', 'managed etc/.claude/rules/all.md'];
    const user = ['user home/.claude/CLAUDE.md', 'user home/.claude/rules/own.md'];
    expect(await read({})).toEqual([
      ...managed,
      ...user,
      'project CLAUDE.md',
      'project repo/CLAUDE.md',
      'project repo/.claude/rules/a/z.md',
      'project repo/.claude/rules/b.md',
      'local repo/CLAUDE.local.md',
      'project repo/web/CLAUDE.md',
      'project repo/web/.claude/CLAUDE.md',
      'local repo/web/CLAUDE.local.md',
    ]);
    expect(await read({ sources: ['user'] })).toEqual([...managed, ...user]);
    expect(await read({ sources: ['local'] })).toEqual([
      ...managed,
      'local repo/CLAUDE.local.md',
      'local repo/web/CLAUDE.local.md',
    ]);
    const additionalDirectories = [path('added')];
    expect((await read({ additionalDirectories })).at(-1)).toBe('project added/CLAUDE.md');
    expect(problems).toEqual([]);
  });

  it('[PF27] what is the person’s is not taken for that of a project in the home folder', async () => {
    const { location, file, path } = await projectFolder('home/work');
    await file('home/.claude/CLAUDE.md', 'OWN');
    const sources = ['project', 'local'] as const;
    expect(
      (await loadMemory({ ...location, cwd: path('home/work'), sources })).map(({ text }) => text),
    ).toEqual([]);
  });

  it('[PF28] imports what is mentioned as @path, relative, absolute or in the home folder, each file once', async () => {
    const { location, file, path, problems } = await projectFolder();
    const absolute = await file('repo/docs/absolute.md', 'ABSOLUTE @../CLAUDE.md');
    await file('home/.claude/CLAUDE.md', 'USER @~/notes.md @notes.md');
    await file('home/notes.md', 'HOME');
    await file('home/.claude/notes.md', 'RELATIVE');
    await file('repo/docs/a.md', 'A @b\\ c.md, again @./a.md');
    await file('repo/docs/b c.md', 'SPACED');
    await file(
      'repo/CLAUDE.md',
      `ROOT (see @docs/a.md) or ask me@docs.md, @docs/a.md! @${absolute} @missing @docs`,
    );
    const entries = await loadMemory(location);
    expect(entries.map(({ text }) => text.split(' ')[0])).toEqual([
      'USER',
      'HOME',
      'RELATIVE',
      'ROOT',
      'A',
      'SPACED',
      'ABSOLUTE',
    ]);
    expect(entries.at(-1)).toMatchObject({ path: path('repo/docs/absolute.md'), kind: 'project' });
    expect(problems).toEqual([]);
  });

  it('[PF28] imports nothing from code or comments', async () => {
    const { location, file } = await projectFolder();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await file(`repo/${name}.md`, name);
    await file(
      'repo/CLAUDE.md',
      [
        'span ` @a.md ` and `` x` @b.md ``, a lone ` tick',
        '',
        '@f.md after the lone ` tick',
        '~~~ts',
        '@c.md',
        '```',
        '~~~',
        '<!-- @d.md -->',
        '````',
        '```',
        '@e.md',
      ].join('\n'),
    );
    expect((await loadMemory(location)).slice(1).map(({ text }) => text)).toEqual(['f']);
  });

  it('[PF28] follows imports to a depth, and says where it stopped', async () => {
    const { location, file, problems } = await projectFolder();
    await file('repo/CLAUDE.md', '@1.md');
    for (let at = 1; at <= MAX_IMPORT_DEPTH; at += 1) await file(`repo/${at}.md`, `${at} @${at + 1}.md`);
    expect(await loadMemory(location)).toHaveLength(MAX_IMPORT_DEPTH);
    expect(problems).toEqual([expect.stringMatching(/4\.md: imports .*5\.md deeper than 5 files/)]);
  });

  it('[PF29] a project imports nothing from outside of its folder, by whatever way, unless it may', async () => {
    const { location, file, link, path, problems } = await projectFolder('repo/web');
    await file('home/.ssh/id', 'SECRET');
    await file('repo/other.md', 'OTHER');
    await link('repo/web/linked.md', '../../home/.ssh/id');
    await link('repo/web/CLAUDE.local.md', '../../home/.ssh/id');
    await link('repo/web/.claude/rules/key.md', '../../../../home/.ssh/id');
    await file('repo/web/CLAUDE.md', `WEB @~/.ssh/id @${path('home/.ssh/id')} @../other.md @linked.md`);
    await file('repo/CLAUDE.md', 'REPO @other.md');
    const read = async (mayImportOutside: boolean): Promise<string[]> =>
      (await loadMemory({ ...location, mayImportOutside })).map(({ text }) => text.split(' ')[0] ?? '');
    expect(await read(false)).toEqual(['REPO', 'OTHER', 'WEB']);
    expect(problems.join('\n')).not.toContain('SECRET');
    expect(problems).toContainEqual(
      expect.stringMatching(/id: leads to .*, which is outside of .*web\. It is left out/),
    );
    expect(await read(true)).toEqual(['REPO', 'OTHER', 'WEB', 'SECRET']);
  });

  it('[PF29] nor what a rule says must not be read', async () => {
    const { location, file, problems } = await projectFolder();
    const secret = await file('repo/.env', 'KEY');
    await file('repo/CLAUDE.md', 'ROOT @.env');
    const mayRead = (path: string): boolean => path !== secret;
    expect((await loadMemory({ ...location, mayRead })).map(({ text }) => text)).toEqual(['ROOT @.env']);
    expect(problems).toEqual([`${secret}: may not be read. It is left out.`]);
  });

  it('[PF30] rules for some files keep the globs, as does what they import, and are not told at once', async () => {
    const { location, file, problems } = await projectFolder();
    await file(
      'repo/.claude/rules/api.md',
      '---\npaths: ["src/**/*.{ts,tsx}", lib/**]\n---\nAPI @../../more.md',
    );
    await file('repo/more.md', 'MORE');
    await file('repo/.claude/rules/go.md', '---\npaths: "*.go, go.mod"\n---\nGO');
    await file('repo/.claude/rules/z-all.md', '---\nother: 1\n---\nALL');
    await file('repo/.claude/rules/bad.md', '---\npaths: {\n---\nBAD');
    const entries = await loadMemory(location);
    expect(entries.map(({ text, paths }) => [text.split(' ')[0], paths])).toEqual([
      ['API', ['src/**/*.{ts,tsx}', 'lib/**']],
      ['MORE', ['src/**/*.{ts,tsx}', 'lib/**']],
      ['GO', ['*.go', 'go.mod']],
      ['ALL', undefined],
    ]);
    expect(memoryText(entries)).not.toMatch(/API|MORE|GO/);
    expect(problems).toEqual([expect.stringMatching(/bad\.md:\d+: the front matter is not YAML/)]);
  });

  it('[PF31] is bounded: one file, all of them, and their number', async () => {
    const { location, file, problems } = await projectFolder();
    await file('home/.claude/CLAUDE.md', 'x'.repeat(MAX_FILE_BYTES + 1));
    for (const name of ['a', 'b', 'c']) {
      await file(`repo/.claude/rules/${name}.md`, name.repeat(MAX_MEMORY_CHARS / 2 - 1));
    }
    await file('repo/CLAUDE.local.md', 'y');
    expect((await loadMemory(location)).map(({ text }) => text[0])).toEqual(['a', 'b', 'y']);
    expect(problems).toEqual([
      expect.stringMatching(/home.*larger than 256 KiB/),
      expect.stringMatching(/c\.md: all instructions together are more/),
    ]);
    const many = await projectFolder();
    for (let at = 0; at <= MAX_MEMORY_FILES; at += 1) await many.file(`repo/.claude/rules/${at}.md`, 'x');
    expect(await loadMemory(many.location)).toHaveLength(MAX_MEMORY_FILES);
    expect(many.problems).toHaveLength(1);
  });

  it('[PF31] no text makes it slow', async () => {
    const { location, file } = await projectFolder();
    const texts = ['`'.repeat(9), '``` ', '<!-- ', '@a ', '\\ ', '~~~\n', '@\\ ', '`a``b```c'];
    for (const [at, text] of texts.entries()) {
      await file(`repo/.claude/rules/${at}.md`, text.repeat(MAX_MEMORY_CHARS / 9 / text.length));
    }
    expect(await loadMemory(location)).toHaveLength(texts.length);
  });

  it('[PF32] is told with whose it is, and without notes that people left for each other', async () => {
    const { location, file, path } = await projectFolder();
    await file('home/.claude/CLAUDE.md', 'Be kind.\n');
    await file('repo/CLAUDE.md', '<!-- note\nmore -->\nKeep <!-- this --> it.\n```\n<!-- code -->\n```\n');
    const text = memoryText(await loadMemory(location));
    expect(text).toContain(
      `From ${path('home/.claude/CLAUDE.md')} (the user's own, for every project):\n\nBe kind.\n\n`,
    );
    expect(text).toMatch(
      /CLAUDE\.md \(of the project[^)]*\):\n\nKeep <!-- this --> it\.\n```\n<!-- code -->\n```$/,
    );
    expect(memoryText([])).toBe('');
  });

  it('[PF33] reads AGENTS.md where a project has no CLAUDE.md, and only there', async () => {
    const { location, file } = await projectFolder('repo/web');
    await file('home/.claude/CLAUDE.md', 'USER');
    await file('repo/AGENTS.md', 'AGENTS');
    await file('repo/web/AGENTS.md', 'WEB AGENTS');
    const texts = async (): Promise<string[]> => (await loadMemory(location)).map(({ text }) => text);
    expect(await texts()).toEqual(['USER', 'AGENTS', 'WEB AGENTS']);
    await file('repo/CLAUDE.md', 'CLAUDE');
    expect(await texts()).toEqual(['USER', 'CLAUDE']);
  });

  it('[PF34] of folders below is found for a file in them', async () => {
    const { location, file, path } = await projectFolder();
    await file('repo/CLAUDE.md', 'ROOT');
    await file('repo/a/CLAUDE.md', 'A');
    await file('repo/a/b/AGENTS.md', 'B');
    await file('repo/a/other/CLAUDE.md', 'OTHER');
    const texts = async (name: string): Promise<string[]> =>
      (await loadNestedMemory(location, path(name))).map(({ text }) => text);
    expect(await texts('repo/a/b/c/x.ts')).toEqual(['A', 'B']);
    expect(await texts('repo/x.ts')).toEqual([]);
    expect(await texts('home/x.ts')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { loadOutputStyles } from '../../src/project/output-styles.ts';
import { projectFolder } from './project-folder.ts';

describe('output styles', () => {
  it('[PF35] there are default, Explanatory and Learning; default says nothing', async () => {
    const { location } = await projectFolder();
    const styles = await loadOutputStyles(location);
    expect(styles.map(({ name }) => name)).toEqual(['default', 'Explanatory', 'Learning']);
    expect(styles.map(({ prompt }) => prompt !== '')).toEqual([false, true, true]);
    expect(styles.every(({ keepsCodingInstructions }) => keepsCodingInstructions)).toBe(true);
  });

  it('[PF35] files add to them, the project’s before the person’s; coding instructions stay if they say so', async () => {
    const { location, file, problems } = await projectFolder();
    await file('home/.claude/output-styles/terse.md', '---\nname: Terse\ndescription: Short\n---\n\nUSER\n');
    await file('home/.claude/output-styles/plain.md', 'PLAIN');
    await file(
      'repo/.claude/output-styles/t.md',
      '---\nname: Terse\nkeep-coding-instructions: true\n---\nPROJECT',
    );
    const bad = await file(
      'repo/.claude/output-styles/bad.md',
      '---\nkeep-coding-instructions: often\n---\nx',
    );
    expect((await loadOutputStyles(location)).slice(3)).toEqual([
      { name: 'Terse', description: '', prompt: 'PROJECT', keepsCodingInstructions: true, source: 'project' },
      { name: 'plain', description: '', prompt: 'PLAIN', keepsCodingInstructions: false, source: 'user' },
    ]);
    expect(problems).toEqual([expect.stringContaining(`${bad}: \`keep-coding-instructions\``)]);
  });
});

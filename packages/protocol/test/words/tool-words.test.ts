import { describe, expect, it } from 'vitest';
import { shortInput, shownPath, spokenName } from '../../src/words/tool-words.ts';

const FOLDER = '/project';

describe('a tool call in a line', () => {
  it.each([
    ['Bash', { command: 'npm test\nnpm run build' }, 'npm test …'],
    ['Bash', { command: 7 }, ''],
    ['Read', { file_path: '/project/src/a.ts', limit: 5 }, 'src/a.ts'],
    ['Edit', { file_path: '/elsewhere/b.ts' }, '/elsewhere/b.ts'],
    ['NotebookEdit', { notebook_path: '/project/c.ipynb' }, 'c.ipynb'],
    ['Write', {}, ''],
    ['Grep', { pattern: 'x+', path: '/project/src' }, 'x+ in src'],
    ['Glob', { pattern: '*.ts' }, '*.ts'],
    ['Task', { description: 'look around', subagent_type: 'scout' }, 'look around · scout'],
    ['Agent', { description: 'look around' }, 'look around'],
    ['TodoWrite', { todos: [{}, {}] }, '2 points'],
    ['AskUserQuestion', { questions: [{ question: 'Which?' }, { question: 'How?' }] }, 'Which? How?'],
    ['ExitPlanMode', { plan: '# Plan' }, ''],
    ['WebFetch', { url: 'https://example.com' }, 'https://example.com'],
    ['mcp__github__list', { owner: 'me', limit: 3 }, 'owner: me, limit: 3'],
    ['mcp__disk__write', { path: '/project/a', text: 'one\ntwo' }, 'path: /project/a, text: one two'],
    ['mcp__github__list', { limit: 3 }, 'limit: 3'],
  ])('[WO1] says of %s with %j: %s', (name, input, said) => {
    expect(shortInput(name, input, FOLDER)).toBe(said);
  });

  it('[WO1] is cleaned before it is cut', () => {
    const clean = (text: string): string => text.replaceAll('~\n', '');
    expect(shortInput('Bash', { command: '~\nls' }, null, clean)).toBe('ls');
  });

  it('[WO2] names a tool of a server by both', () => {
    expect(spokenName('mcp__github__list_issues')).toBe('github: list_issues');
    expect(['Bash', 'mcp__', 'mcp__github__'].map(spokenName)).toEqual(['Bash', 'mcp__', 'mcp__github__']);
  });

  it.each([
    ['/project/src/a.ts', FOLDER, 'src/a.ts'],
    ['/project', FOLDER, '/project'],
    ['/projects/a.ts', FOLDER, '/projects/a.ts'],
    ['/project/src/../../secret', FOLDER, '/project/src/../../secret'],
    ['/project/a.ts', null, '/project/a.ts'],
    ['a.ts', FOLDER, 'a.ts'],
  ])('[WO3] says %s in %s as %s', (path, folder, said) => {
    expect(shownPath(path, folder)).toBe(said);
  });
});

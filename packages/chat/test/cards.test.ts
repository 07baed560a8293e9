import { describe, expect, it } from 'vitest';
import { cardLines } from '../src/cards/card-lines.ts';
import type { ToolCard } from '../src/cards/tool-card.ts';
import { textOf } from '../src/text/line.ts';

const CWD = '/project';

function card(fields: Partial<ToolCard>): ToolCard {
  return {
    id: 'x',
    name: 'Bash',
    input: {},
    state: 'done',
    calls: [],
    text: '',
    structured: undefined,
    ...fields,
  };
}

function drawn(fields: Partial<ToolCard>, width = 60): string[] {
  return cardLines(card(fields), { width, cwd: CWD, spinner: '*' }).map(textOf);
}

describe('a tool card', () => {
  it.each([
    ['Bash', { command: 'npm test\nnpm run build' }, 'Bash npm test …'],
    ['Bash', { command: '\x1b[31m\r\nls\r\npwd' }, 'Bash ls …'],
    ['Bash', { command: 7 }, 'Bash'],
    ['Read', { file_path: '/project/src/a.ts' }, 'Read src/a.ts'],
    ['Edit', { file_path: '/elsewhere/b.ts' }, 'Edit /elsewhere/b.ts'],
    ['TodoWrite', { todos: [{}, {}] }, 'TodoWrite 2 points'],
    ['mcp__github__list', { owner: 'me', limit: 3 }, 'github: list owner: me, limit: 3'],
    ['mcp__a\x1b[1m__b', { url: 'https://example.com' }, 'a: b https://example.com'],
  ])('[CH5] says of %s with %j: %s', (name, input, said) => {
    expect(drawn({ name, input })[0]).toBe(`● ${said}`);
  });

  it('[CH5] shows the first lines of an output and how many more there are', () => {
    const text = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    expect(drawn({ input: { command: 'seq' }, text })).toEqual([
      '● Bash seq',
      '  └ line 0',
      '    line 1',
      '    line 2',
      '    line 3',
      '    line 4',
      '    … 15 more lines',
    ]);
    expect(drawn({ text: '' })).toEqual(['● Bash', '  └ (no output)']);
  });

  it('[CH5] counts what was read, found and written', () => {
    const file = { numLines: 40, totalLines: 200 };
    expect(drawn({ name: 'Read', structured: { type: 'text', file } })[1]).toBe('  └ 40 of 200 lines');
    expect(drawn({ name: 'Read', text: 'a\nb' })[1]).toBe('  └ 2 lines');
    const found = { filenames: ['/project/a.ts', '/project/b.ts'], numFiles: 2 };
    expect(drawn({ name: 'Glob', structured: found })).toEqual([
      '● Glob',
      '  └ 2 files',
      '    a.ts',
      '    b.ts',
    ]);
    expect(drawn({ name: 'Write', input: { content: 'one\ntwo\n' } })[1]).toBe('  └ 2 lines written');
  });

  it('[CH5] shows a patch with line numbers, removed red and added green', () => {
    const structuredPatch = [
      {
        oldStart: 9,
        oldLines: 2,
        newStart: 9,
        newLines: 2,
        lines: [' kept', '-old', '+new', '\\ No newline'],
      },
    ];
    const lines = cardLines(card({ name: 'Edit', structured: { structuredPatch } }), {
      width: 60,
      cwd: CWD,
      spinner: '',
    });
    expect(lines.map(textOf).slice(1)).toEqual([
      '  └ 1 line added, 1 removed',
      '     9   kept',
      '    10 - old',
      '    10 + new',
    ]);
    expect(lines.flat()).toContainEqual({ text: '- old', color: 'red' });
    expect(lines.flat()).toContainEqual({ text: '+ new', color: 'green' });
  });

  it('[CH5] shows work to do as boxes', () => {
    const todos = [
      { content: 'Lay rails', status: 'completed' },
      { content: 'Set signals', status: 'in_progress' },
      { content: 'Run trains', status: 'pending' },
    ];
    expect(drawn({ name: 'TodoWrite', input: { todos } }).slice(1)).toEqual([
      '  └ ☑ Lay rails',
      '    ◐ Set signals',
      '    ☐ Run trains',
    ]);
  });

  it('[CH5] shows a failure in red, without the tags that are meant for the model', () => {
    const text = '<tool_use_error>No such file</tool_use_error>';
    const lines = cardLines(card({ state: 'failed', text }), { width: 60, cwd: CWD, spinner: '' });
    expect(lines.flat()).toContainEqual({ text: 'No such file', color: 'red' });
  });

  it('[CH5] spins while it runs, on one row however long its input is', () => {
    const input = { command: 'x'.repeat(200) };
    expect(drawn({ state: 'running', input }, 20)).toEqual([`* Bash ${'x'.repeat(12)}…`]);
  });

  it('[CH6] shows the last calls of a sub-agent while it works, and more when it is done', () => {
    const calls = Array.from({ length: 15 }, (_, index) =>
      card({ name: 'Read', input: { file_path: `f${index}` } }),
    );
    const running = drawn({ name: 'Task', state: 'running', calls });
    expect(running).toEqual([
      '* Task',
      '    … 12 more calls',
      '    ● Read f12',
      '    ● Read f13',
      '    ● Read f14',
    ]);
    expect(drawn({ name: 'Task', calls, text: 'found it' })).toHaveLength(1 + 1 + 12 + 1);
  });
});

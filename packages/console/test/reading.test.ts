import { markdownTokens } from '@signalbox/protocol/markdown';
import { describe, expect, it } from 'vitest';
import { languageOf, languageOfFile } from '../src/highlight/language-names.ts';
import { LiveMarkdown } from '../src/markdown/live-markdown.ts';
import { foundIn } from '../src/model/found-files.ts';
import { pagesIn } from '../src/model/found-pages.ts';
import type { CallItem, Item } from '../src/model/item.ts';
import { newCall } from '../src/model/live-replies.ts';
import { outputPeek } from '../src/model/output-peek.ts';
import { runWords, withRuns } from '../src/model/runs.ts';
import { plainOutput, terminalText } from '../src/model/terminal-text.ts';
import { answersOf, outcomeOf } from '../src/model/tool-outcome.ts';
import { Transcript } from '../src/model/transcript.ts';
import { ADA, answered, call, entry, prompt, said, text } from './sample.ts';

const DOCUMENT = `# A heading

Words with **bold *and slanted* ones**, \`code\` and [a link](https://example.org/).

- one
- two

  goes on

1. first

> said by ~~another~~ somebody

\`\`\`ts
const a = '**no mark**';

\`\`\`

| a | b |
|---|---|
| 1 | 2 |

The end, with a [reference][1].
`;

function done(name: string, input: object = {}, structured?: unknown, output = ''): CallItem {
  const result = { text: output, images: [], structured };
  return { ...newCall(`${name} ${JSON.stringify(input)}`, name, { ...input }, 1), state: 'done', result };
}

describe('Markdown that is being written', () => {
  it('[CO1200] is at every moment what it will be, up to its last block', () => {
    const live = new LiveMarkdown();
    const whole = markdownTokens(DOCUMENT).map(({ raw }) => raw);
    for (let length = 1; length <= DOCUMENT.length; length += 1) {
      const raws = live.tokens(DOCUMENT.slice(0, length)).map(({ raw }) => raw);
      const settled = raws.slice(0, -2);
      expect(settled).toEqual(whole.slice(0, settled.length));
    }
    expect(live.tokens(DOCUMENT).map(({ raw }) => raw)).toEqual(whole);
  });

  it('[CO1200] shows no half of a mark, and begins anew with another text', () => {
    const live = new LiveMarkdown();
    const shown = (words: string): string => JSON.stringify(live.tokens(words));
    expect(shown('So **bo')).toContain('"type":"strong"');
    expect(shown('So **bold** and `co')).toContain('"type":"codespan"');
    expect(shown('So **bold** and `code` in [a pa')).not.toContain('[a pa"');
    expect(shown('Another')).not.toContain('bold');
    expect(shown('```js\nlet a')).toContain('"type":"code"');
  });
});

describe('output of programs', () => {
  it('[CO1201] has the colours that they chose, and none of what is told to a terminal', () => {
    const output =
      '\x1b]0;title\x07\x1b[1;31mFAIL\x1b[0m a\x1b[2K \x1b[38;5;208mb\x1b[48;2;1;2;3mc\x1b[0m\x1b[7mr\x1b[0m';
    expect(terminalText(output)).toMatchObject([
      { text: 'FAIL', color: 'red', marks: ['bold'] },
      { text: ' a ', color: undefined },
      { text: 'b', color: 'rgb(255, 135, 0)' },
      { text: 'c', ground: 'rgb(1, 2, 3)' },
      { text: 'r', color: 'black', ground: 'white' },
    ]);
    expect(plainOutput(output)).toBe('FAIL a bcr');
  });

  it('[CO1201] that was written over is there as it was last', () => {
    expect(plainOutput('10 %\r50 %\r100 %\r\ndone\r\n')).toBe('100 %\ndone\n');
    expect(terminalText('plain\n')).toMatchObject([{ text: 'plain\n', color: undefined }]);
  });

  it('[CO1201] has few pieces, however many colours it has', () => {
    expect(terminalText('\x1b[31ma\x1b[0mb'.repeat(5000))).toHaveLength(1);
  });

  it('[CO1202] shows its last three lines, and more of a failure', () => {
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n');
    const bash = done('Bash', {}, undefined, `${lines}\n\n`);
    expect(outputPeek(bash)).toEqual({ lines: ['line 17', 'line 18', 'line 19'], before: 17, after: 0 });
    expect(outputPeek({ ...bash, state: 'failed' })?.lines).toHaveLength(8);
    expect(outputPeek(done('Read', {}, undefined, lines))).toBeUndefined();
    expect(outputPeek({ ...done('Read', {}, undefined, 'No such file'), state: 'failed' })?.lines).toEqual([
      'No such file',
    ]);
    expect(outputPeek(done('Task', {}, undefined, 'one\n\ntwo\nthree\nfour'))).toEqual({
      lines: ['one', 'two', 'three'],
      before: 0,
      after: 1,
    });
  });
});

describe('calls', () => {
  const read = (path: string): CallItem => done('Read', { file_path: path });

  it('[CO1203] that only look at something are one row; what failed or was asked about is not in it', () => {
    const reads = [read('a'), read('b'), read('a'), done('Grep', { pattern: 'x' })];
    const asked = { ...read('c'), decidedBy: 'Ada' };
    const failed: CallItem = { ...read('d'), state: 'failed' };
    const reply: Item = { kind: 'text', key: 'k', seq: 1, text: 'so', isLive: false };
    const rows = withRuns([...reads, failed, read('e'), asked, read('f'), read('g'), reply]);
    expect(rows.map((row) => (row.kind === 'run' ? runWords(row.calls) : row.kind))).toEqual([
      'Read 2 files, searched once',
      'call',
      'call',
      'call',
      'Read 2 files',
      'text',
    ]);
    expect(runWords([done('Glob'), done('LS')])).toBe('Searched 2 times');
  });

  it('[CO3776] attempts to ask the model that follow each other are one row, the last', () => {
    const retry = (attempt: number) => ({ type: 'system', subtype: 'api_retry', attempt, max_retries: 10 });
    const transcript = new Transcript();
    const lines = [
      retry(1),
      retry(2),
      retry(3),
      said(text('here')),
      retry(1),
      { type: 'hub', subtype: 'gap', from: 1, to: 1 },
    ];
    for (const [at, line] of lines.entries()) transcript.add(entry(at + 1, line));
    const rows = withRuns(transcript.groups.flatMap(({ items }) => items));
    expect(rows.map((row) => ('text' in row ? row.text : row.kind))).toEqual([
      'The model did not answer; trying again, 3 of 10',
      'here',
      'The model did not answer; trying again, 1 of 10',
      expect.stringContaining('lost here'),
    ]);
  });

  it('[CO1204] say what came of them: lines, files, changes, points', () => {
    const todos = ['completed', 'pending'].map((status) => ({ content: 'x', status }));
    const outcomes = [
      done('Read', {}, { file: { numLines: 1200 } }),
      done('Grep', {}, { numLines: 1 }),
      done('Glob', {}, { numFiles: 3, filenames: ['a', 'b', 'c'] }),
      done('Edit', { old_string: 'a\nb', new_string: 'a\nc\nd' }),
      done('Edit', {}, { structuredPatch: [{ lines: [' a', '-b'] }] }),
      done('Write', { content: 'a\nb\n' }),
      done('TodoWrite', { todos }),
      done('Task', {}, { totalToolUseCount: 4 }),
      done('Bash'),
      { ...done('Read', {}, { file: { numLines: 1 } }), state: 'running' as const },
    ].map(outcomeOf);
    expect(outcomes).toEqual([
      '1,200 lines',
      '1 match',
      '3 files',
      '+2 −1',
      '−1',
      '+2',
      '1 of 2 done',
      '4 calls',
      '',
      '',
    ]);
    expect(answersOf(done('AskUserQuestion', {}, { answers: { 'Which?': ['a', 'b'] } }))).toEqual([
      ['Which?', 'a, b'],
    ]);
    const content = '/x/a.ts:3:let a\n/x/a.ts:9:a:b\n--\n/x/b.ts:1:c';
    expect(foundIn(done('Grep', {}, { content, filenames: [] }))).toEqual([
      {
        path: '/x/a.ts',
        lines: [
          { number: '3', text: 'let a' },
          { number: '9', text: 'a:b' },
        ],
      },
      { path: '/x/b.ts', lines: [{ number: '1', text: 'c' }] },
    ]);
  });

  it('[CO2032] of the web name the pages that were found, and nothing that is no page', () => {
    const told = done(
      'WebSearch',
      {},
      {
        results: [
          'words',
          { content: [{ title: 'One', url: 'https://one.example/a' }, { url: 'https://two.example/' }] },
          {
            content: [
              { title: 'Evil', url: 'javascript:alert(1)' },
              { title: 'One', url: 'https://one.example/a' },
            ],
          },
        ],
      },
    );
    expect(pagesIn(told)).toEqual([
      { title: 'One', href: 'https://one.example/a', host: 'one.example' },
      { title: 'two.example', href: 'https://two.example/', host: 'two.example' },
    ]);
    expect(outcomeOf(told)).toBe('2 pages');
    const inText = done(
      'WebSearch',
      {},
      undefined,
      'Results\n\nLinks: [{"title":"A","url":"https://a.example/"}]\n\nMore',
    );
    expect(pagesIn(inText)).toMatchObject([{ title: 'A' }]);
    expect(pagesIn(done('WebSearch', {}, undefined, 'Links: [{"title"'))).toEqual([]);
  });

  it('[CO1205] and code are known by their language, by fence and by file', () => {
    expect(languageOf('ts {1,2}')).toEqual({ name: 'TypeScript', grammar: 'tsx' });
    expect(languageOf('brainfuck')).toEqual({ name: 'brainfuck', grammar: '' });
    expect(languageOf('constructor')?.grammar).toBe('');
    expect(languageOf('')).toBeUndefined();
    expect(languageOfFile('/x/a.test.PY')?.name).toBe('Python');
    expect(languageOfFile('/x/Dockerfile')?.name).toBe('Dockerfile');
    expect(languageOfFile('/x/notes')).toBeUndefined();
  });
});

describe('a transcript', () => {
  it('[CO1206] marks where the conversation or its files became others', () => {
    const transcript = new Transcript();
    const asked = (request: object): unknown => ({ type: 'hub', subtype: 'request', request });
    transcript.add(entry(1, { type: 'conversation_reset' }));
    transcript.add(entry(2, asked({ subtype: 'rewind_files', user_message_id: 'u' }), ADA));
    transcript.add(entry(3, asked({ subtype: 'set_permission_mode', mode: 'plan' }), ADA));
    transcript.add(entry(4, asked({ subtype: 'of_tomorrow' }), ADA));
    const marks = transcript.groups
      .flatMap(({ items }) => items)
      .filter((item) => item.kind === 'note' && item.tone === 'mark');
    expect(marks).toMatchObject([
      { text: 'A new conversation begins' },
      { text: 'Ada put the files back to an earlier prompt', key: 'entry-2' },
      { text: 'Ada switched the mode to plan' },
    ]);
  });

  it('[CO2031] knows how long a call took, and says so when that was long', () => {
    const transcript = new Transcript();
    transcript.add(entry(1, said(call('t1', 'Bash', { command: 'make' }), 'm1')));
    transcript.add(entry(2, said(call('t2', 'Read', { file_path: '/x' }), 'm2')));
    transcript.add(entry(5, answered('t1', 'built')));
    transcript.add(entry(90, answered('t2', 'gone', true)));
    const [slow, failed] = transcript.groups.flatMap(({ items }) => items);
    expect(slow).toMatchObject({ startedAt: 1000, endedAt: 5000 });
    const words = [slow, failed].map((item) => (item?.kind === 'call' ? outcomeOf(item) : ''));
    expect(words).toEqual(['4.0 s', 'failed · 1 min 28 s']);
    const quick = { ...done('Bash'), startedAt: 1000, endedAt: 1400 };
    expect(outcomeOf(quick)).toBe('');
    // What a person took to answer is not the tool's.
    expect(outcomeOf({ ...quick, endedAt: 60_000, decidedBy: 'Ada' })).toBe('');
  });

  it('[CO1207] knows the entry of every message, so that a link leads there', () => {
    const transcript = new Transcript();
    transcript.add(entry(7, prompt('do it'), ADA));
    transcript.add(entry(9, said(text('done'))));
    expect(transcript.groups.flatMap(({ items }) => items)).toMatchObject([{ seq: 7 }, { seq: 9 }]);
  });
});

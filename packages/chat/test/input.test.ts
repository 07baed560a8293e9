import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Choice, completableAt, completed, fitting } from '../src/input/completion.ts';
import { type Draft, draftOf, EMPTY_DRAFT, editDraft, fullText } from '../src/input/draft.ts';
import { draftLines } from '../src/input/draft-lines.ts';
import { createFileHistory, HISTORY_LIMIT } from '../src/input/history.ts';
import { PromptBox } from '../src/input/prompt-box.ts';
import { type Key, KeyDecoder } from '../src/terminal/key-decoder.ts';
import { textOf } from '../src/text/line.ts';

/** Keys as chords, typed text as itself. */
function keys(...chords: string[]): Key[] {
  return chords.map((chord) =>
    chord.startsWith('"') ? { chord: 'text', text: chord.slice(1) } : { chord, text: '' },
  );
}

/** The draft after keys, with a bar where the cursor is. */
function after(start: string, ...chords: string[]): string {
  const at = start.indexOf('|');
  const from: Draft = { ...EMPTY_DRAFT, text: start.replace('|', ''), cursor: at };
  const { text, cursor } = keys(...chords).reduce((draft, key) => editDraft(draft, key) ?? draft, from);
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe('a draft', () => {
  it.each([
    ['|', ['"a', '"b'], 'ab|'],
    ['ab|', ['left', '"x'], 'ax|b'],
    ['ab|', ['ctrl+a', '"x', 'ctrl+e', '"y'], 'xaby|'],
    ['one two|', ['ctrl+left'], 'one |two'],
    ['|one two', ['alt+f', 'alt+f'], 'one two|'],
    ['one two.three|', ['ctrl+w', 'ctrl+w'], 'one two|'],
    ['one |two', ['ctrl+k'], 'one |'],
    ['one |two', ['ctrl+u'], '|two'],
    ['one |two', ['alt+d'], 'one |'],
    ['a|', ['backspace', 'backspace'], '|'],
    ['|ab', ['delete'], '|b'],
    ['|ab', ['ctrl+d'], '|b'],
    ['a|', ['alt+enter', '"b'], 'a\nb|'],
    ['a\\|', ['enter', '"b'], 'a\nb|'],
    ['first\nse|cond', ['up'], 'fi|rst\nsecond'],
    ['fi|rst\nsecond', ['down'], 'first\nse|cond'],
    ['long line\nab|', ['up', 'down'], 'long line\nab|'],
    ['a\nb|', ['home', 'backspace'], 'a|b'],
    ['a👩‍👩‍👧|', ['backspace'], 'a|'],
    ['日本|', ['left', '"x'], '日x|本'],
  ])('[CH13] %j with %j becomes %j', (start, chords, end) => {
    expect(after(start, ...chords)).toBe(end);
  });

  it('[CH13] leaves to its owner what does not edit', () => {
    const unused = keys('enter', 'up', 'down', 'escape', 'tab', 'pageup');
    expect(unused.map((key) => editDraft(draftOf('one line'), key))).toEqual(unused.map(() => undefined));
    expect(editDraft(EMPTY_DRAFT, { chord: 'ctrl+d', text: '' })).toBeUndefined();
  });

  it('[CH14] keeps a short paste as text and a long one as one piece that is deleted as one', () => {
    const paste = (text: string) => editDraft(draftOf('see: '), { chord: 'paste', text }) ?? EMPTY_DRAFT;
    expect(paste('a\nb').text).toBe('see: a\nb');
    const long = Array.from({ length: 20 }, (_, index) => `${index}`).join('\n');
    const draft = paste(long);
    expect(fullText(draft)).toBe(`see: ${long}`);
    expect(draftLines(draft, 60, 10).lines.map(textOf)).toEqual(['see: [pasted 20 lines]']);
    expect(editDraft(draft, { chord: 'backspace', text: '' })?.text).toBe('see: ');
    // The end of the last line begins no other one.
    expect(draftLines(paste(`${long}\n`), 60, 10).lines.map(textOf)).toEqual(['see: [pasted 20 lines]']);
  });

  it('[CH13] is drawn in rows with the cursor where the next character goes', () => {
    const view = (text: string, cursor: number, width: number) =>
      draftLines({ ...EMPTY_DRAFT, text, cursor }, width, 3);
    expect(view('abcdef', 6, 4)).toMatchObject({ cursor: { x: 2, y: 1 } });
    expect(view('abcd', 4, 4)).toMatchObject({ cursor: { x: 0, y: 1 } });
    expect(view('日本語', 2, 4)).toMatchObject({ cursor: { x: 0, y: 1 } });
    expect(view('a\nb\nc\nd\ne', 9, 9)).toMatchObject({ cursor: { x: 1, y: 2 } });
    expect(view('a\nb\nc\nd\ne', 9, 9).lines.map(textOf)).toEqual(['c', 'd', 'e']);
  });
});

describe('keys', () => {
  const SENT: [string, string[]][] = [
    ['abc\r', ['text abc', 'enter']],
    ['\x1b[A\x1bOB\x1b[1;5C\x1b[1;3D', ['up', 'down', 'ctrl+right', 'alt+left']],
    ['\x7f\x1b[3~\x1b\x7f', ['backspace', 'delete', 'alt+backspace']],
    ['\x1b\r\x1b[13;2u\x1b[27;2;13~', ['alt+enter', 'shift+enter', 'shift+enter']],
    ['\x1b[Z\t\x03\x1bb', ['shift+tab', 'tab', 'ctrl+c', 'alt+b']],
    ['\x1b[200~one\r\ntwo\x1b[A\x1b[201~x', ['paste one\ntwo\x1b[A', 'text x']],
    ['\x1b[97u\x1b[65;2u\x1b[99;5u\x1b[27u', ['text a', 'text A', 'ctrl+c', 'escape']],
    ['日本👩', ['text 日本👩']],
  ];
  const named = (decoded: readonly Key[]): string[] =>
    decoded.map(({ chord, text }) => (text ? `${chord} ${text}` : chord));

  it.each(SENT)('[CH15] %j are %j, wherever they are cut', (sent, expected) => {
    expect(named(new KeyDecoder().push(sent))).toEqual(expected);
    const cut = new KeyDecoder();
    const pieces = named(Array.from(sent).flatMap((character) => cut.push(character)));
    const joined = (names: readonly string[]): string => names.join(' ').replace(/(?<=text \S+) text /g, '');
    expect(joined(pieces)).toBe(joined(expected));
  });

  it('[CH15] an escape that nothing follows is the key', () => {
    const decoder = new KeyDecoder();
    expect(decoder.push('\x1b')).toEqual([]);
    expect(decoder.isWaiting).toBe(true);
    expect(named(decoder.flush())).toEqual(['escape']);
    expect(named(decoder.push('\x1b\x1b[A'))).toEqual(['escape', 'up']);
  });

  it('[CH14] lines that arrive at once were pasted, also without brackets', () => {
    expect(named(new KeyDecoder().push('one\rtwo'))).toEqual(['paste one\ntwo']);
  });
});

describe('completion', () => {
  const commands = ['compact', 'review', 'recompile'].map((text) => ({ text, detail: '' }));

  it('[CH17] is for a command at the start of a prompt', () => {
    expect(completableAt(draftOf('/co'))).toMatchObject({ kind: 'command', word: 'co' });
    expect(completableAt(draftOf('/compact now'))).toBeUndefined();
    expect(completableAt(draftOf('see /co'))).toBeUndefined();
    expect(fitting(commands, 'comp').map(({ text }) => text)).toEqual(['compact', 'recompile']);
  });

  it('[CH18] is for a file anywhere, and goes on inside of a folder', () => {
    const draft = draftOf('look at @src/si');
    const word = completableAt(draft);
    expect(word).toMatchObject({ kind: 'file', word: 'src/si' });
    if (!word) throw new Error('nothing to complete');
    expect(completed(draft, word, { text: 'src/signal.ts', detail: '' }).text).toBe(
      'look at @src/signal.ts ',
    );
    expect(completed(draft, word, { text: 'src/signals/', detail: '' }).text).toBe('look at @src/signals/');
    expect(completableAt(draftOf('mail me@home'))).toBeUndefined();
  });
});

describe('the box', () => {
  it('[CH392] goes on through earlier prompts when commands arrive that one of them could be', () => {
    const commands: Choice[] = [];
    const box = new PromptBox(
      { read: () => ['say hello', '/exit'], add: () => {} },
      { commands: () => commands, files: async () => [] },
      () => {},
    );
    const shown = (): string => box.view(80, 5, '').lines.map(textOf).join('\n');
    const press = (...chords: string[]): void => keys(...chords).forEach((key) => void box.onKey(key));
    press('up');
    commands.push({ text: 'exit', detail: 'Leave' });
    box.refresh();
    expect(shown()).toBe('❯ /exit');
    press('up');
    expect(shown()).toBe('❯ say hello');
    press('down', 'down', '"/');
    commands.push({ text: 'help', detail: 'Keys' });
    box.refresh();
    expect(shown()).toContain('/help');
  });
});

describe('a history file', () => {
  it('[CH16] keeps prompts of many lines, for the person only, up to its limit, whatever else is in it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-history-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'new', 'history');
    const history = createFileHistory(path);
    expect(history.read()).toEqual([]);
    history.add('one\nline');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    appendFileSync(path, 'torn li\n');
    for (let index = 0; index < 2 * HISTORY_LIMIT; index++) history.add(`prompt ${index}`);
    const read = createFileHistory(path).read();
    expect(read).toHaveLength(HISTORY_LIMIT);
    expect(read.at(-1)).toBe(`prompt ${2 * HISTORY_LIMIT - 1}`);
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(HISTORY_LIMIT);
  });

  it('[CH16] that cannot be written costs nothing but the history', () => {
    const history = createFileHistory('/dev/null/history');
    history.add('lost');
    expect(history.read()).toEqual([]);
  });
});

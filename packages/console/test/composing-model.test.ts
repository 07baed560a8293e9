import type { Budget, EntryMessage, FolderListing } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import { factsAfter, modelsIn, NO_FACTS } from '../src/model/agent-facts.ts';
import { attachedText, fileIn } from '../src/model/attached-file.ts';
import { blocksIn, promptIn } from '../src/model/content.ts';
import { contentOf, draftIn } from '../src/model/draft.ts';
import { fieldsOf, inputOf } from '../src/model/edited-input.ts';
import { mentionAt, withPath } from '../src/model/file-mention.ts';
import { folderChoices, typedFolder, withoutSlash } from '../src/model/folder-choice.ts';
import { gaugeOf, tightestBudget } from '../src/model/gauge.ts';
import { historyStep, promptHistory } from '../src/model/prompt-history.ts';

describe('what a prompt is written with', () => {
  it('[CO2354] Up in an empty box goes back through what was said, nothing twice, and Down forward; what was changed is a prompt of its own', () => {
    const history = promptHistory(['newest', 'two\nlines', ' '], ['newest', 'older'], ['elsewhere']);
    expect(history).toEqual(['newest', 'two\nlines', 'older', 'elsewhere']);
    const at = (text: string, caret = text.length) => ({ text, start: caret, end: caret });
    expect(historyStep('ArrowUp', at(''), history, -1)).toEqual({ text: 'newest', place: 0 });
    expect(historyStep('ArrowUp', at('newest'), history, 0)).toEqual({ text: 'two\nlines', place: 1 });
    // Within several lines the key moves the caret, until it is at the first or the last.
    expect(historyStep('ArrowUp', at('two\nlines'), history, 1)).toBeUndefined();
    expect(historyStep('ArrowUp', at('two\nlines', 1), history, 1)).toEqual({ text: 'older', place: 2 });
    expect(historyStep('ArrowDown', at('two\nlines', 1), history, 1)).toBeUndefined();
    expect(historyStep('ArrowDown', at('two\nlines'), history, 1)).toEqual({ text: 'newest', place: 0 });
    expect(historyStep('ArrowDown', at('newest'), history, 0)).toEqual({ text: '', place: -1 });
    expect(historyStep('ArrowUp', at('elsewhere'), history, 3)).toBeUndefined();
    for (const text of ['something', 'newest!'])
      expect(historyStep('ArrowUp', at(text), history, 0)).toBeUndefined();
    expect(historyStep('ArrowUp', { text: 'newest', start: 0, end: 3 }, history, 0)).toBeUndefined();
    // One that was emptied begins anew.
    expect(historyStep('ArrowUp', at(''), history, 3)).toEqual({ text: 'newest', place: 0 });
  });

  it('[CO2355] a path behind an @ is completed where the caret is, and one with spaces is quoted', () => {
    expect(mentionAt('see @src/ma', 11)).toEqual({ from: 4, to: 11, query: 'src/ma' });
    expect(mentionAt('@', 1)).toEqual({ from: 0, to: 1, query: '' });
    expect(mentionAt('a\n@b', 4)).toEqual({ from: 2, to: 4, query: 'b' });
    for (const [text, caret] of [
      ['ada@example.com', 15],
      ['see @src now', 12],
      ['see @src', 6],
      ['@"a b', 5],
      [`@${'x'.repeat(201)}`, 202],
    ] as const)
      expect(mentionAt(text, caret), text).toBeUndefined();
    const mention = { from: 4, to: 8, query: 'src' };
    expect(withPath('see @src', mention, 'src/main.ts')).toEqual({ text: 'see @src/main.ts ', caret: 17 });
    expect(withPath('see @src now', mention, 'a b.md')).toEqual({ text: 'see @"a b.md" now', caret: 14 });
  });

  it('[CO2356] a text file is a part of the prompt that is known again; other files are refused with what to do', () => {
    const name = 'a "quoted".txt';
    const file = attachedText(name, new TextEncoder().encode('one\n</attached-file>\ntwo'));
    expect(file).toEqual({ name, text: 'one\n</attached-file>\ntwo' });
    const binary = new Uint8Array([0x50, 0x4b, 0xff, 0xfe]);
    expect(attachedText('a.zip', binary)).toMatch(/^a\.zip is neither text nor a PNG.*name it with @\.$/);
    expect(attachedText('nul', new TextEncoder().encode('a\u0000b'))).toContain('neither text');
    expect(attachedText('long.log', new Uint8Array(102_401))).toContain('long.log is larger than 100 kB');
    const files = typeof file === 'string' ? [] : [{ ...file, id: 'f' }];

    const content = contentOf({ text: 'look at it', images: [], files });
    const blocks = blocksIn({ content });
    expect(blocks).toHaveLength(2);
    expect(promptIn(blocks)).toEqual({
      text: 'look at it',
      files: [{ name: 'a _quoted_.txt', text: 'one\n</attached-file>\ntwo' }],
    });
    expect(draftIn(content)).toMatchObject({ text: 'look at it', files: [{ name: 'a _quoted_.txt' }] });
    expect(contentOf({ text: 'just words', images: [], files: [] })).toBe('just words');
    expect(fileIn({ type: 'text', text: 'talks about <attached-file name="x">' })).toBeUndefined();
  });

  it('[CO2357] how full the conversation is and whether the agent thinks is told by what it said; the budget that ends first is the one that counts', () => {
    const entry = (message: object, author?: EntryMessage['author']): EntryMessage =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of an entry is of no matter here
      ({ message, ...(author ? { author } : {}) }) as unknown as EntryMessage;
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 900,
      cache_creation_input_tokens: 50,
      output_tokens: 40,
    };
    const after = (...messages: object[]) =>
      messages.reduce<typeof NO_FACTS>((facts, message) => factsAfter(facts, entry(message)), NO_FACTS);
    const reply = { type: 'assistant', message: { usage } };
    const result = {
      type: 'result',
      modelUsage: {
        small: { inputTokens: 5, contextWindow: 1 },
        main: { inputTokens: 900, contextWindow: 2000 },
      },
    };
    expect(after(reply, result)).toEqual({ contextTokens: 1000, contextWindow: 2000, thinking: undefined });
    // A sub-agent has a conversation of its own, and an error counts nothing.
    const others = [
      { type: 'assistant', parent_tool_use_id: 't1', message: { usage: { input_tokens: 7 } } },
      { type: 'assistant', message: { usage: { input_tokens: 0 } } },
    ];
    expect(after(reply, ...others).contextTokens).toBe(1000);
    expect(after(reply, { type: 'system', subtype: 'compact_boundary' }).contextTokens).toBeUndefined();
    const set = (max_thinking_tokens: number | null) => ({
      type: 'hub',
      subtype: 'request',
      request: { subtype: 'set_max_thinking_tokens', max_thinking_tokens },
    });
    expect([0, 5000, null].map((most) => after(set(0), set(most)).thinking)).toEqual([
      'off',
      'on',
      undefined,
    ]);
    expect(after(set(0), { type: 'bridge', subtype: 'started' }).thinking).toBeUndefined();
    expect(modelsIn({ models: [{ value: 'opus', displayName: 'Opus', description: 'hard' }, {}] })).toEqual([
      { value: 'opus', title: 'Opus', description: 'hard' },
    ]);
    expect([gaugeOf(1, 0), gaugeOf(79, 100), gaugeOf(80, 100), gaugeOf(300, 100)]).toEqual([
      { share: 0, state: 'open' },
      { share: 0.79, state: 'open' },
      { share: 0.8, state: 'near' },
      { share: 1, state: 'reached' },
    ]);
    const budget = (id: string, usd: number | null, tokens: number | null): Budget =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whose it is and since when is of no matter here
      ({ id, usd, tokens, spent: { usd: 5, tokens: 900 } }) as unknown as Budget;
    const budgets = [budget('wide', 100, null), budget('tight', 50, 1000), budget('half', 10, null)];
    expect(tightestBudget(budgets)).toMatchObject({ budget: { id: 'tight' }, share: 0.9, state: 'near' });
    expect(tightestBudget([])).toBeUndefined();
  });

  it('[CO2358] the input of a call is edited field by field, words as they are and all else as JSON', () => {
    const input = { command: 'ls "a"', timeout: 5, edits: [{ old: 'x' }], nothing: null };
    const fields = fieldsOf(input);
    expect(fields.map(({ kind }) => kind)).toEqual(['text', 'json', 'json', 'json']);
    expect(inputOf(fields)).toEqual({ input });
    const changed = fields.map((field) => (field.name === 'timeout' ? { ...field, text: '10' } : field));
    expect(inputOf(changed)).toMatchObject({ input: { timeout: 10 } });
    const broken = fields.map((field) => (field.name === 'edits' ? { ...field, text: '[{' } : field));
    expect(inputOf(broken)).toEqual({ problem: expect.stringContaining('“edits” is no JSON') });
  });

  it('[CO2359] for a path that is typed folders are offered where people worked and that are there, and a slash at its end is no other folder', () => {
    expect(typedFolder('')).toEqual({ folder: '~/', start: '' });
    expect(typedFolder('~/pro')).toEqual({ folder: '~/', start: 'pro' });
    expect(typedFolder('/srv/shop/')).toEqual({ folder: '/srv/shop/', start: '' });
    expect(typedFolder('relative')).toBeUndefined();
    const listing: Pick<FolderListing, 'items'> = {
      items: ['Projects', 'private', 'shop'].map((name) => ({ name, isRepository: name === 'shop' })),
    };
    const offered = (typed: string) =>
      folderChoices(typed, ['/srv/Shop', '/srv/other'], listing).map(({ path, kind }) => `${kind} ${path}`);
    expect(offered('~/pr')).toEqual(['folder ~/Projects', 'folder ~/private']);
    expect(offered('shop')).toEqual(['recent /srv/Shop']);
    expect(offered('~')).toEqual([
      'recent /srv/Shop',
      'recent /srv/other',
      'folder ~/Projects',
      'folder ~/private',
      'repository ~/shop',
    ]);
    expect(offered('/srv/Shop')).toEqual(['repository /srv/shop']);
    expect(offered('/srv/other')).toEqual([]);
    expect(['/a/b//', '/', '~/', '~/a/'].map(withoutSlash)).toEqual(['/a/b', '/', '~/', '~/a']);
  });
});

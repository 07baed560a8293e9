import { LIMITS } from '@signalbox/protocol';
import { type Author, pagesOf, type SearchHit, type SearchQuery } from '@signalbox/protocol/hub';
import { prompt, repeatedPrompt, reply, toolCall, toolResult } from '@signalbox/testing/hub/search-lines';
import { describe, expect, it } from 'vitest';
import type { NewLine } from '../../src/store/record.ts';
import { AGENT, ANN, newSession } from './sample-record.ts';
import type { OpenedStore } from './store-contract.ts';

/** A word that no other test says. */
function ownWord(): string {
  return `w${crypto.randomUUID().replaceAll('-', '')}`;
}

function matches({ excerpt }: SearchHit): string[] {
  return excerpt.flatMap(({ text, isMatch }) => (isMatch ? [text] : []));
}

/** How what was said is found again. */
export function describeSearch(store: OpenedStore): void {
  const say = (session: string, author: Author, ...lines: NewLine[]) =>
    store().commit({ appends: [{ session, author, lines }] });
  const find = async (query: SearchQuery): Promise<SearchHit[]> => {
    for (;;) {
      const { items, isComplete } = await store().search.find(query);
      // A busy machine may not come to the end in one go, and then says so.
      if (isComplete) return items;
    }
  };

  describe('search', () => {
    it('[LOG1700] finds what people and agents said, calls of tools and their results, with their place, as soon as it is recorded', async () => {
      const session = await newSession(store());
      const word = ownWord();
      await say(session, ANN, { ...prompt(`Please mend the ${word} login`), time: 1000 });
      await say(session, AGENT, { ...reply(`The\n${word} is mended`), time: 2000 });
      await say(session, AGENT, toolCall('t1', 'Bash', { command: `grep ${word} src`, timeout: 5 }));
      await say(session, AGENT, toolResult('t1', [{ type: 'text', text: `src/a.ts: ${word}` }]));
      const hits = await find({ words: word });
      expect(hits.map(({ seq, kind, tool }) => [seq, kind, tool])).toEqual([
        [4, 'result', 'Bash'],
        [3, 'call', 'Bash'],
        [2, 'said', null],
        [1, 'said', null],
      ]);
      expect(hits[3]).toMatchObject({ session, time: 1000, author: ANN });
      expect(hits[2]).toMatchObject({ session, time: 2000, author: AGENT });
      for (const hit of hits) expect(matches(hit)).toEqual([word]);
      expect(hits[2]?.excerpt.map(({ text }) => text).join('')).toBe(`The ${word} is mended`);
      expect(await find({ words: ownWord() })).toEqual([]);
    });

    it('[FT3160] short lines of many small commits are indexed: pieces of memory that they share are not given away twice', async () => {
      const session = await newSession(store());
      const word = ownWord();
      const note = { bytes: Buffer.from('{"type":"note"}') };
      for (let commit = 0; commit < 40; commit += 1)
        await say(session, AGENT, ...Array.from({ length: 30 }, () => note));
      await say(session, AGENT, reply(word));
      expect((await find({ words: word })).map(({ seq }) => seq)).toEqual([1201]);
    });

    it('[LOG3850] has the turns of a record by their prompts, several in one part where there are many, and none of what was trimmed', async () => {
      const session = await newSession(store());
      const outline = async () => {
        for (;;) {
          const { items, isComplete } = await store().search.outline(session);
          if (isComplete) return items;
        }
      };
      expect(await outline()).toEqual([]);
      await say(session, AGENT, reply('Hello'));
      await say(session, ANN, { ...prompt('Mend\n  the login'), time: 1000 });
      await say(session, AGENT, repeatedPrompt('Mend the login'), toolResult('t1', 'done'));
      await say(session, ANN, { ...prompt('w'.repeat(500)), time: 2000 });
      expect(await outline()).toEqual([
        { seq: 2, time: 1000, turns: 1, words: 'Mend the login' },
        { seq: 5, time: 2000, turns: 1, words: `${'w'.repeat(120)}…` },
      ]);
      const prompts = Array.from({ length: 2 * LIMITS.outlineParts.most + 1 }, (_, at) =>
        prompt(`Turn ${at}`),
      );
      await say(session, ANN, ...prompts);
      const many = await outline();
      expect(many.length).toBeLessThanOrEqual(LIMITS.outlineParts.most);
      expect(many.reduce((sum, { turns }) => sum + turns, 0)).toBe(prompts.length + 2);
      expect(many[1]).toMatchObject({ seq: 7, turns: 3, words: 'Turn 1' });
      await store().retention.trim(session, 6);
      expect((await outline())[0]).toMatchObject({ seq: 7, words: 'Turn 1' });
      await store().sessions.remove(session);
      expect(await store().search.outline(session)).toMatchObject({ items: [] });
    });

    it('[LOG1701] all words must occur; quotes hold them together, a star lets a word go on, case and accents do not count', async () => {
      const session = await newSession(store());
      const word = ownWord();
      await say(session, AGENT, reply(`${word} the quick brown Fóx, snake_case and src/login.ts`));
      const found = async (words: string): Promise<boolean> =>
        (await find({ words: `${word} ${words}`, session })).length > 0;
      for (const words of [
        'fox quick',
        'FOX',
        '"quick brown"',
        'qui*',
        'snake_case',
        'src/login.ts',
        'login',
      ])
        expect([words, await found(words)]).toEqual([words, true]);
      for (const words of ['fox slow', '"brown quick"', 'qui', 'uick', 'src/logout.ts'])
        expect([words, await found(words)]).toEqual([words, false]);
    });

    it('[LOG1702] is held to a session, a folder and what is below it, a tool, a person, and a time', async () => {
      const { sessions } = store();
      const word = ownWord();
      const folder = `/work/${ownWord()}`;
      const [one, two, three] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
      await sessions.create(one, { folder });
      await sessions.create(two, { folder: `${folder}/below` });
      await sessions.create(three, { folder: `${folder}-beside` });
      await say(one, ANN, { ...prompt(`${word} a`), time: 1000 });
      await say(two, AGENT, { ...toolCall('t', 'Read', { file_path: `/${word}` }), time: 2000 });
      await say(two, AGENT, { ...toolResult('t', `${word} b`), time: 3000 });
      await say(three, AGENT, { ...reply(`${word} c`), time: 4000 });
      const times = async (query: Omit<SearchQuery, 'words'>): Promise<number[]> =>
        (await find({ words: word, ...query })).map(({ time }) => time);
      expect(await times({})).toEqual([4000, 3000, 2000, 1000]);
      expect(await times({ session: two })).toEqual([3000, 2000]);
      expect(await times({ folder })).toEqual([3000, 2000, 1000]);
      expect(await times({ folder: `${folder}/below/` })).toEqual([3000, 2000]);
      expect(await times({ tool: 'read' })).toEqual([3000, 2000]);
      expect(await times({ person: 'ann' })).toEqual([1000]);
      expect(await times({ since: 2000, until: 4000 })).toEqual([3000, 2000]);
      expect(await times({ folder, tool: 'Read', since: 3000 })).toEqual([3000]);
      for (const nothing of [
        { session: 'nobody' },
        { folder: '/nowhere' },
        { tool: 'Write' },
        { person: 'Bob' },
      ])
        expect(await times(nothing)).toEqual([]);
      // A session that moves is found where it is.
      await sessions.update(three, { folder });
      expect(await times({ folder })).toEqual([4000, 3000, 2000, 1000]);
    });

    it('[LOG1703] tells the newest first, page by page, whatever order it was recorded in', async () => {
      const [one, two] = [await newSession(store()), await newSession(store())];
      const word = ownWord();
      const times = [5000, 1000, 4000, 2000, 3000];
      for (const time of times) await say(time % 2000 ? one : two, AGENT, { ...reply(word), time });
      // Many of one moment.
      await say(one, AGENT, ...Array.from({ length: 40 }, () => ({ ...reply(word), time: 2500 })));
      const told: number[] = [];
      for await (const page of pagesOf((request) =>
        store().search.find({ words: word, limit: 7, ...request }),
      )) {
        expect(page.length).toBeLessThanOrEqual(7);
        told.push(...page.map(({ time }) => time));
      }
      expect(told).toEqual([...times, ...Array.from({ length: 40 }, () => 2500)].toSorted((a, b) => b - a));
    });

    it('[LOG1704] takes whatever somebody types: operators, quotes and brackets are words or nothing', async () => {
      const session = await newSession(store());
      const word = ownWord();
      await say(session, AGENT, reply(`${word} AND "NEAR" text: of a column ^ - rowid ' OR 1=1 --`));
      const typed = [
        `${word} AND NEAR`,
        `${word} "NEAR`,
        `"${word}`,
        `${word} text:`,
        `${word} NEAR(`,
        `${word} ^ - ( ) { } : * + \\ '`,
        `${word}"`,
        `${word} ' OR 1=1 --`,
        `${word} "" "*" **`,
        `${word} ${'of '.repeat(300)}`,
      ];
      for (const words of typed) expect([words, (await find({ words, session })).length]).toEqual([words, 1]);
      for (const words of [`${word} OR nothing`, `NOT ${word}`, `${word}\0${word}`, `\ud800 ${word} "`])
        await find({ words, session });
      for (const words of ['', '  ', '"', '""', '*', '* * "', '(){}:^-+', '😀', '"=>"'])
        await expect(store().search.find({ words })).rejects.toMatchObject({ code: 'STORE_ARGUMENT' });
    });

    it('[LOG2504] looks for 32 different words at most, of which 4 may go on: each is a look at all that was ever said', async () => {
      const session = await newSession(store());
      const words = (count: number, end = '') => Array.from({ length: count }, (_, n) => `word${n}${end}`);
      await say(session, AGENT, reply(words(40).join(' ')));
      for (const fit of [
        words(32),
        words(4, '*'),
        Array.from({ length: 200 }, () => 'word1*'),
        [`"${words(32).join(' ')}"`],
      ])
        expect(await find({ words: fit.join(' '), session })).toHaveLength(1);
      for (const many of [
        words(33),
        words(5, '*'),
        [`"${words(33).join(' ')}"`],
        [`"${words(20).join(' ')}"`, ...words(13)],
      ])
        await expect(store().search.find({ words: many.join(' ') })).rejects.toMatchObject({
          code: 'STORE_ARGUMENT',
        });
    });

    it('[LOG1705] has nothing of a removed session, and what an import brought once it is whole', async () => {
      const { sessions } = store();
      const [gone, imported] = [await newSession(store()), crypto.randomUUID()];
      const word = ownWord();
      await say(gone, AGENT, reply(`${word} gone`));
      await sessions.beginImport(imported);
      await say(imported, AGENT, reply(`${word} imported`));
      expect((await find({ words: word })).map(({ session }) => session)).toEqual([gone]);
      await sessions.remove(gone);
      await sessions.endImport(imported, {});
      expect((await find({ words: word })).map(({ session }) => session)).toEqual([imported]);
      // Another session of the same name has what was said in it, and nothing else.
      await sessions.create(gone);
      await say(gone, AGENT, reply('other words'), reply(`${word} again`));
      expect((await find({ words: word, session: gone })).map(({ seq }) => seq)).toEqual([2]);
    });

    it('[LOG1706] leaves out what is no talk: thoughts, images, notes, repeated prompts, lines that nobody can read, and the rest of what is long', async () => {
      const session = await newSession(store());
      const word = ownWord();
      const other = (content: unknown) => ({
        bytes: Buffer.from(JSON.stringify({ type: 'assistant', message: { content } })),
      });
      await say(
        session,
        AGENT,
        other([
          { type: 'thinking', thinking: word },
          { type: 'image', source: { data: word } },
        ]),
        { bytes: Buffer.from(JSON.stringify({ type: 'system', subtype: 'init', cwd: `/${word}` })) },
        { bytes: Buffer.from(`{"type":"assistant","message":{"content":"${word}"`) },
        { bytes: Buffer.from(`{"type":"assistant","message":{"content":${'['.repeat(600)}"${word}"`) },
        repeatedPrompt(word),
        reply(`${'x '.repeat(LIMITS.searchedLength.most / 2)}${word}`),
        // More than 4 MiB: it is not even read.
        reply(`${word} ${'x'.repeat(5 * 1024 * 1024)}`),
        other(null),
        other({ text: word }),
        reply('the last one'),
      );
      expect(await find({ words: word })).toEqual([]);
      expect(await find({ words: 'last one', session })).toHaveLength(1);
    });

    it('[LOG1707] shows a short part of a long text, with the place in it', async () => {
      const session = await newSession(store());
      const word = ownWord();
      await say(session, AGENT, reply(`${'before '.repeat(500)}${word}${' after'.repeat(500)}`));
      await say(session, AGENT, reply(`${'y'.repeat(9000)} ${word}`));
      for (const hit of await find({ words: word })) {
        expect(matches(hit)).toEqual([word]);
        expect(hit.excerpt.map(({ text }) => text).join('').length).toBeLessThan(800);
      }
    });
  });
}

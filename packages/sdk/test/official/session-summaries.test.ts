import { beforeAll, expect, it } from 'vitest';
import * as ours from '../../src/index.ts';
import { CONVERSATION, CWD, entry, KEY, replied, said, text, uuid } from '../sessions/stored-session.ts';
import { INSTALL_TIMEOUT_MS, officialSdk } from './official-sdk.ts';

let theirs: typeof ours;

beforeAll(async () => {
  theirs = await officialSdk();
}, INSTALL_TIMEOUT_MS);

const { sessionId } = KEY;

const ENTRIES: [what: string, entries: ours.SessionStoreEntry[]][] = [
  ['none', []],
  ['a conversation', CONVERSATION],
  ['a long prompt of several lines', [said(1, `  one\n\ntwo ${'x'.repeat(300)}`)]],
  ['a prompt in blocks', [said(1, [text('<ide_selection>a</ide_selection>'), text('b\nc'), text('d')])]],
  ['a command', [said(1, '<command-name>/compact</command-name>'), said(2, 'and then?')]],
  ['a command alone', [said(1, '<command-name>/clear</command-name>')]],
  ['a line for the shell', [said(1, '<bash-input>ls -la</bash-input>')]],
  [
    'what no person said',
    [said(1, 'a', { isMeta: true }), said(2, 'b', { isCompactSummary: true }), said(3, ' ')],
  ],
  ['an interrupted turn', [said(1, '[Request interrupted by user]')]],
  ['an answer of a tool', [said(1, [{ type: 'tool_result', tool_use_id: 't', content: 'r' }])]],
  ['a sub-agent', [said(1, 'go', { isSidechain: true })]],
  ['a reply first', [replied(1, text('a')), said(2, 'b')]],
  ['a note first', [entry(1, 'system', { isSidechain: true, cwd: '/elsewhere' }), said(2, 'b')]],
  ['a bad time', [{ type: 'attachment', timestamp: 'then' }]],
  [
    'titles and tags',
    [
      said(1, 'a'),
      { type: 'custom-title', customTitle: 'One', sessionId },
      { type: 'custom-title', customTitle: 'Two', sessionId },
      { type: 'ai-title', aiTitle: 'Three', sessionId },
      { type: 'summary', summary: 'Four', leafUuid: uuid(1) },
      { type: 'last-prompt', lastPrompt: 'Five', sessionId },
      { type: 'tag', tag: 'six', sessionId },
    ],
  ],
  [
    'a tag that was taken away',
    [
      { type: 'tag', tag: 'a', sessionId },
      { type: 'tag', tag: '', sessionId },
    ],
  ],
];

it.each(ENTRIES)('[SD654] a summary is folded as in the official package: %s', (_what, entries) => {
  const whole = ours.foldSessionSummary(undefined, KEY, entries, { mtime: 7 });
  expect(whole).toEqual(theirs.foldSessionSummary(undefined, KEY, entries, { mtime: 7 }));
  for (let at = 0; at <= entries.length; at += 1) {
    const before = ours.foldSessionSummary(undefined, KEY, entries.slice(0, at), { mtime: 7 });
    const kept = structuredClone(before);
    expect(ours.foldSessionSummary(before, KEY, entries.slice(at))).toEqual(whole);
    expect(theirs.foldSessionSummary(before, KEY, entries.slice(at))).toEqual(whole);
    expect(before).toEqual(kept);
  }
});

it.each(ENTRIES)(
  '[SD655] either package lists the sessions of the other’s store: %s',
  async (_what, entries) => {
    for (const { InMemorySessionStore } of [ours, theirs]) {
      const sessionStore = new InMemorySessionStore();
      await sessionStore.append(KEY, entries);
      await sessionStore.append({ ...KEY, subpath: 'subagents/agent-1' }, [said(1, 'go')]);
      const options = { sessionStore, dir: CWD };
      expect(await ours.listSessions(options)).toEqual(await theirs.listSessions(options));
      expect([sessionStore.size, sessionStore.getEntries(KEY)]).toEqual([1, entries]);
      sessionStore.clear();
      expect(sessionStore.size).toBe(0);
    }
  },
);

it('[SD655] a list does not load sessions whose summary is fresh, and loads the others', async () => {
  const inner = new ours.InMemorySessionStore();
  const loaded: string[] = [];
  const stale = { ...KEY, sessionId: uuid(901) };
  await inner.append(KEY, CONVERSATION);
  await inner.append(stale, [said(1, 'an old prompt')]);
  const sessionStore: ours.SessionStore = {
    append: (key, entries) => inner.append(key, entries),
    load: (key) => {
      loaded.push(key.sessionId);
      return inner.load(key);
    },
    listSessions: (project) => inner.listSessions(project),
    listSessionSummaries: async (project) =>
      (await inner.listSessionSummaries(project)).map((summary) =>
        summary.sessionId === stale.sessionId ? { ...summary, mtime: 1, data: {} } : summary,
      ),
  };
  const listed = await ours.listSessions({ sessionStore, dir: CWD });
  expect(listed.map(({ summary }) => summary).toSorted()).toEqual(['an old prompt', 'what is it?']);
  expect(loaded).toEqual([stale.sessionId]);
});

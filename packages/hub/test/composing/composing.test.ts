import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import { GitRepository, writeIn } from '@signalbox/testing/hub/git-repository';
import { call, startTestHub, temporaryFolder, tokenFor } from '@signalbox/testing/hub/test-parts';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { listedFiles } from '../../src/folders/listed-files.ts';
import { matchFiles } from '../../src/folders/match-files.ts';

async function composingStage() {
  const home = temporaryFolder();
  const { hub, store, token } = await startTestHub({
    launch: { home, program: ['false'], agents: () => [] },
  });
  const sessionIn = async (folder: string): Promise<string> => {
    const id = crypto.randomUUID();
    await store.sessions.create(id);
    await store.sessions.update(id, { folder });
    return id;
  };
  const api = (method: string, path: string, body?: object, as = token) =>
    call(hub.url, as, method, path, body);
  const found = async (session: string, query = '', as = token) =>
    (await api('GET', `/api/sessions/${session}/files?query=${encodeURIComponent(query)}`, undefined, as))
      .body;
  const tokens = {
    watch: await tokenFor(store, { scope: 'watch' }),
    held: await tokenFor(store, { scope: 'drive', session: await sessionIn(home) }),
    agent: await tokenFor(store, { scope: 'drive', kind: 'agent' }),
  };
  return { home, store, api, found, sessionIn, tokens };
}

describe('what people write prompts with', () => {
  it('[CO2351] files of a session’s folder are found by letters of their path, without what git ignores and never beyond the folder', async () => {
    const { api, found, sessionIn, tokens } = await composingStage();
    const repository = new GitRepository();
    for (const path of [
      'src/app/main.ts',
      'src/app/remain.ts',
      'README.md',
      'build/main.js',
      'Ümlaut name.md',
    ])
      repository.write(path, '');
    repository.write('.gitignore', 'build\n');
    symlinkSync('/etc', join(repository.root, 'etc'));
    const session = await sessionIn(repository.root);
    expect((await found(session, 'MAIN')).items).toEqual(['src/app/main.ts', 'src/app/remain.ts']);
    expect((await found(session, 'sapm')).items).toContain('src/app/main.ts');
    expect((await found(session, 'ü')).items).toEqual(['Ümlaut name.md']);
    expect((await found(session)).items.slice(0, 2)).toEqual(['etc', 'README.md']);
    for (const query of ['passwd', '../', 'build', '*'])
      expect(await found(session, query)).toEqual({ items: [], isCut: false });
    // From a folder further down its own files alone, by their paths from there.
    expect((await found(await sessionIn(join(repository.root, 'src')), 'i')).items.toSorted()).toEqual([
      'app/main.ts',
      'app/remain.ts',
      'index.js',
    ]);

    // A repository may say that its files are anywhere: the folder is looked through without git.
    repository.git('config', 'core.worktree', '/etc');
    const elsewhere = new GitRepository();
    elsewhere.git('config', 'core.worktree', '/etc');
    expect((await found(await sessionIn(elsewhere.root))).items).toEqual(['src/index.js']);

    const plain = temporaryFolder();
    for (const path of ['a.txt', '.hidden/b', 'node_modules/c', 'd/e.txt']) writeIn(plain, path, '');
    symlinkSync(plain, join(plain, 'd/around'));
    const plainSession = await sessionIn(plain);
    expect(await found(plainSession)).toEqual({ items: ['a.txt', 'd/e.txt'], isCut: false });
    expect((await found(await sessionIn(join(plain, 'gone')))).code).toBe('FOLDER_NOT_FOUND');
    for (const as of [tokens.watch, tokens.agent, tokens.held])
      expect((await found(plainSession, '', as)).code).toBe('FORBIDDEN');
    expect((await found(plainSession, 'x'.repeat(201))).code).toBe('REQUEST_INVALID');
    expect((await api('GET', `/api/sessions/nobody/files`)).status).toBe(404);
  });

  it('[CO2352] the folders of a folder are listed by name, links to folders too, for people who may start agents there', async () => {
    const { home, api, tokens } = await composingStage();
    const top = join(home, 'projects');
    for (const name of ['b', 'a', '.hidden', 'repo/.git']) mkdirSync(join(top, name), { recursive: true });
    writeFileSync(join(top, 'file'), '');
    symlinkSync(home, join(top, 'link'));
    const list = (folder: string, as?: string) =>
      api('GET', `/api/folders?folder=${encodeURIComponent(folder)}`, undefined, as);
    expect((await list(`${top}//`)).body).toEqual({
      folder: top,
      parent: home,
      items: ['a', 'b', 'link', 'repo'].map((name) => ({ name, isRepository: name === 'repo' })),
      isCut: false,
    });
    expect((await list('/')).body).toMatchObject({ folder: '/', parent: null });
    expect((await api('GET', '/api/folders')).body.folder).not.toContain('~');
    for (const none of ['relative', join(top, 'file'), join(top, 'gone'), '~nobody'])
      expect((await list(none)).body.code).toBe('FOLDER_NOT_FOUND');
    for (const as of [tokens.watch, tokens.agent, tokens.held])
      expect((await list(top, as)).body.code).toBe('FORBIDDEN');
  });

  it('[CO2353] prompts are saved under names for all who drive the hub’s agents, and a damaged file of them is said and not written over', async () => {
    const { home, api, tokens } = await composingStage();
    const file = join(home, 'saved-prompts.json');
    const save = (name: string, text = 'do it', as?: string) =>
      api('POST', '/api/saved-prompts', { name, text }, as);
    expect((await save('review')).body).toMatchObject({ name: 'review', text: 'do it' });
    await save('Über alles', 'two\nlines');
    await save('__proto__', 'just a name');
    await save('review', 'do it well');
    const names = async () =>
      (await api('GET', '/api/saved-prompts')).body.items.map(({ name, text }: Record<string, string>) => [
        name,
        text,
      ]);
    expect((await names()).toSorted()).toEqual([
      ['__proto__', 'just a name'],
      ['review', 'do it well'],
      ['Über alles', 'two\nlines'],
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (let times = 0; times < 2; times += 1)
      expect(
        (await api('DELETE', `/api/saved-prompts?name=${encodeURIComponent('Über alles')}`)).status,
      ).toBe(200);
    expect(await names()).toHaveLength(2);
    for (const name of ['', ' a', 'a\nb', 'x'.repeat(81)]) expect((await save(name)).status).toBe(400);
    expect((await save('long', 'x'.repeat(20_001))).status).toBe(400);
    for (const as of [tokens.watch, tokens.held]) expect((await save('no', 'no', as)).status).toBe(403);
    const many = Array.from({ length: 200 }, (_, at) => [`p${at}`, { text: 'x', updatedAt: 1 }]);
    writeFileSync(file, JSON.stringify(Object.fromEntries(many)));
    expect((await save('one more')).body.code).toBe('SAVED_PROMPT_LIMIT');
    expect((await save('p7', 'changed')).status).toBe(200);
    writeFileSync(file, '{"half');
    expect((await save('x')).body.code).toBe('SAVED_PROMPTS_UNREADABLE');
    expect(readFileSync(file, 'utf8')).toBe('{"half');
  });

  it('[HB3162] prompts that are saved have a limit together', async () => {
    const { api, home } = await composingStage();
    const text = '漢'.repeat(LIMITS.savedPromptLength.most);
    const fit = Math.floor(LIMITS.savedPromptBytes.most / Buffer.byteLength(text));
    writeFileSync(
      join(home, 'saved-prompts.json'),
      JSON.stringify(Object.fromEntries(Array.from({ length: fit }, (_, n) => [`p${n}`, { text }]))),
    );
    expect((await api('POST', '/api/saved-prompts', { name: 'p1', text })).status).toBe(200);
    expect(await api('POST', '/api/saved-prompts', { name: 'one more', text })).toMatchObject({
      status: 413,
      body: { code: 'SAVED_PROMPT_LIMIT' },
    });
    expect((await api('POST', '/api/saved-prompts', { name: 'p1', text: 'short' })).status).toBe(200);
    expect((await api('POST', '/api/saved-prompts', { name: 'one more', text })).status).toBe(200);
  });

  it('[HB3163] of very long paths so many bytes are kept, and others have their turn while they are searched', async () => {
    const { found, sessionIn } = await composingStage();
    const folder = temporaryFolder();
    const below = Array.from({ length: 14 }, () => 'x'.repeat(200)).join('/');
    mkdirSync(join(folder, below), { recursive: true });
    const files = Math.ceil((LIMITS.gitOutputBytes.most / below.length) * 1.01);
    for (let n = 0; n < files; n += 1) writeFileSync(join(folder, below, `${'y'.repeat(200)}${n}`), '');
    const { paths, isCut } = await listedFiles(folder);
    expect([isCut, paths.length < files]).toEqual([true, true]);
    expect((await found(await sessionIn(folder), 'xy')).isCut).toBe(true);

    const random = new SeededRandom(3163);
    const names = Array.from({ length: 20_000 }, (_, n) => `${'a/'.repeat(random.below(90))}B${n}.ts`);
    let others = 0;
    const other = setInterval(() => (others += 1), 0);
    const { items, isCut: isMore } = await matchFiles(names, 'ab.ts', 50);
    clearInterval(other);
    expect(others).toBeGreaterThan(0);
    const depth = (path: string): number => path.split('/').length;
    const nearest = names
      .filter((path) => path.startsWith('a/'))
      .toSorted((a, b) => depth(a) - depth(b) || a.length - b.length || (a < b ? -1 : 1));
    expect([items, isMore]).toEqual([nearest.slice(0, 50), true]);
  });

  it('[HB3164] a path that no folder can have is no failure of the hub', async () => {
    const { api } = await composingStage();
    for (const folder of [`/${'x'.repeat(300)}`, '/a\0b'])
      expect(await api('GET', `/api/folders?folder=${encodeURIComponent(folder)}`)).toMatchObject({
        status: 422,
        body: { code: 'FOLDER_NOT_FOUND' },
      });
  });
});

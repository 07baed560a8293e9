import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { good, TestRepository } from '@signalbox/testing/hub/changes-stage';
import { until } from '@signalbox/testing/hub/test-parts';
import type { FileDiff, FolderChangeList, TurnChanges } from 'signalbox/hub';
import { describe, expect, it } from 'vitest';
import { bridgeIdOf } from '../../src/launch/bridge-id.ts';
import { LaunchStage } from '../launch/launch-stage.ts';

const FREE = { mode: 'bypassPermissions' } as const;

/** A session of the real agent that asks nobody, in a folder. */
class Stage {
  readonly stage: LaunchStage;
  readonly id: string;

  private constructor(stage: LaunchStage, id: string) {
    this.stage = stage;
    this.id = id;
  }

  static async open(folder: string): Promise<Stage> {
    const stage = await LaunchStage.open();
    const { id } = await stage.launched({ ...FREE, folder });
    return new Stage(stage, id);
  }

  /** Where the hub keeps what the files were. */
  get kept(): string {
    return join(this.stage.home, 'changes', bridgeIdOf(this.id));
  }

  /** The start was noted. */
  async begun(): Promise<void> {
    await until(() => existsSync(join(this.kept, 'snapshots/snapshots.json')));
  }

  prompt(content: string): Promise<void> {
    return this.stage.prompt(this.id, content);
  }

  /** A turn that is ended once the files before it were noted. */
  async interruptedTurn(): Promise<void> {
    const path = `/api/sessions/${this.id}`;
    const prompt = { clientId: crypto.randomUUID(), content: 'slow 1000' };
    good(await this.stage.call('POST', `${path}/prompts`, prompt));
    const noted = join(this.kept, 'snapshots/snapshots.json');
    await until(() => JSON.parse(readFileSync(noted, 'utf8')).open !== null);
    good(await this.stage.call('POST', `${path}/control`, { subtype: 'interrupt' }));
  }

  /** What the record says of the changes of turns, once it has said so often. */
  async notes(count: number): Promise<Record<string, unknown>[]> {
    const read = async () =>
      (await this.stage.messagesOf(this.id)).filter(
        ({ type, subtype }) => type === 'hub' && subtype === 'changes',
      );
    await until(async () => (await read()).length >= count);
    return read();
  }

  async turns(count: number): Promise<TurnChanges[]> {
    const read = async () => good(await this.get('/turns')).items;
    await until(async () => (await read()).length >= count);
    return read();
  }

  get(path: string) {
    return this.stage.call('GET', `/api/sessions/${this.id}/changes${path}`);
  }

  async files(query: string): Promise<FolderChangeList['files']> {
    return good(await this.get(query)).files;
  }

  async diff(query: Record<string, string>): Promise<FileDiff> {
    return good(await this.get(`/diff?${new URLSearchParams(query).toString()}`));
  }
}

/** All that git has of a repository beside its files. */
function stateOf(repository: TestRepository): unknown {
  return [
    repository.git('for-each-ref'),
    repository.git('rev-parse', 'HEAD'),
    repository.git('stash', 'list'),
    repository.git('count-objects', '-v'),
    readFileSync(join(repository.folder, '.git/index')).toString('base64'),
  ];
}

const brief = (files: FolderChangeList['files']) => files.map(({ path, kind }) => `${kind} ${path}`);

describe('what a session and its turns change', () => {
  it('[CG1772] the files when the session began are a base, what was not committed included; nothing of the repository is touched', async () => {
    const repository = new TestRepository();
    repository.commit({ '.gitignore': 'ignored\n', 'a.txt': 'one\n', 'b.txt': 'one\n' });
    repository.write('a.txt', 'one\ntwo\n');
    repository.write('draft.txt', 'a draft\n');
    repository.write('ignored', 'x\n');
    repository.write('large-before', 'x'.repeat(2 * 1024 * 1024));
    repository.git('status');
    const before = stateOf(repository);
    const session = await Stage.open(repository.folder);
    await session.begun();
    await session.prompt(`write ${join(repository.folder, 'made.txt')} made\n`);
    await session.notes(1);
    expect(brief(await session.files('?base=start'))).toEqual(['added made.txt']);
    expect(stateOf(repository)).toEqual(before);
    // Committed or not is no matter.
    repository.git('add', 'draft.txt', 'a.txt');
    repository.git('commit', '-qm', 'mine');
    expect(brief(await session.files('?base=start'))).toEqual(['added made.txt']);
    repository.write('draft.txt', 'a draft\nwith more\n');
    repository.write('large-since', 'x\n'.repeat(1024 * 1024));
    const files = await session.files('?base=start');
    expect(brief(files)).toEqual(['modified draft.txt', 'added made.txt', 'untracked large-since']);
    expect(files[0]).toMatchObject({ added: 1, removed: 0, staged: 'none' });
    expect(await session.diff({ base: 'start', path: 'draft.txt' })).toMatchObject({
      hunks: [{ lines: [' a draft', '+with more'] }],
    });
    expect(await session.diff({ base: 'start', path: 'made.txt' })).toMatchObject({
      oldMode: null,
      hunks: [{ lines: ['+made', expect.stringContaining('No newline')] }],
    });
    expect((await session.diff({ base: 'start', path: 'large-since' })).isCut).toBe(true);
    for (const path of ['ignored', 'a.txt', '../outside'])
      expect((await session.get(`/diff?base=start&path=${path}`)).status).toBeGreaterThanOrEqual(400);
    // A later hub knows it too.
    await session.stage.hub.close();
    await session.stage.startHub();
    expect(brief(await session.files('?base=start'))).toContain('added made.txt');
  });

  it('[CG1773] each turn says what it changed, in the record and by the API, and not what somebody did in between', async () => {
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\ntwo\n' });
    const session = await Stage.open(repository.folder);
    await session.begun();
    await session.prompt('run sed -i s/two/three/ a.txt');
    await session.notes(1);
    await session.prompt(
      `run printf 'x\\n' > b.txt && git rm -qf a.txt && git add -A && git commit -qm done`,
    );
    await session.notes(2);
    repository.write('mine.txt', 'by hand\n');
    await session.interruptedTurn();
    await session.turns(3);
    await session.prompt(`run mkdir sub && mv b.txt sub/b.txt`);
    const notes = await session.notes(3);
    expect(notes).toMatchObject([
      { files: 1, added: 1, removed: 1 },
      { files: 2, added: 1, removed: 2 },
      { files: 1, added: 0, removed: 0 },
    ]);
    const turns = await session.turns(4);
    expect(turns.map(({ files }) => files)).toEqual([1, 0, 2, 1]);
    const results = (await session.stage.store.record.tail(session.id, 1000)).entries.flatMap((entry) =>
      entry.kind === 'line' && entry.line.head().type === 'result' ? [entry.seq] : [],
    );
    expect(turns.map(({ turn }) => turn).toReversed()).toEqual(results);
    const of = (at: number) => `?base=turn&turn=${results[at]}`;
    expect(brief(await session.files(of(0)))).toEqual(['modified a.txt']);
    expect(brief(await session.files(of(1)))).toEqual(['deleted a.txt', 'added b.txt']);
    expect(await session.files(of(2))).toEqual([]);
    expect(await session.files(of(3))).toMatchObject([
      { kind: 'renamed', oldPath: 'b.txt', path: 'sub/b.txt' },
    ]);
    expect(await session.diff({ base: 'turn', turn: String(results[0]), path: 'a.txt' })).toMatchObject({
      hunks: [{ lines: [' one', '-two', '+three'] }],
    });
    // A comment on what is gone since knows its lines all the same.
    const comment = await session.stage.call('POST', `/api/sessions/${session.id}/changes/comments`, {
      path: 'a.txt',
      side: 'old',
      line: 2,
      quote: 'two',
      text: 'Why?',
      base: 'turn',
      turn: results[0],
    });
    expect(comment).toMatchObject({ status: 201, body: { fit: 'fits' } });
    const unknown = await session.get('?base=turn&turn=1');
    expect([unknown.status, unknown.body.code]).toEqual([422, 'CHANGE_BASE_NOT_FOUND']);
    // It goes with the session.
    await session.stage.call('POST', `/api/sessions/${session.id}/stop`);
    expect((await session.stage.call('DELETE', `/api/sessions/${session.id}`)).status).toBe(200);
    expect(existsSync(session.kept)).toBe(false);
  });

  it('[CG1774] it is so before the first commit, amid a merge, beside a lock and with submodules; without a repository nothing is kept', async () => {
    const plain = await Stage.open(new TestRepository().folder);
    await plain.begun();
    await plain.prompt('run echo made > made.txt');
    expect(await plain.notes(1)).toMatchObject([{ files: 1, added: 1, removed: 0 }]);
    expect(brief(await plain.files('?base=start'))).toEqual(['added made.txt']);

    const inner = new TestRepository();
    inner.commit({ 'inner.txt': 'x\n' });
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\n' });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'sub');
    repository.git('commit', '-qm', 'sub');
    repository.git('checkout', '-qb', 'other');
    repository.commit({ 'a.txt': 'theirs\n' });
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'a.txt': 'ours\n' });
    expect(() => repository.git('merge', '-q', 'other')).toThrow();
    writeFileSync(join(repository.folder, '.git/index.lock'), '');
    const session = await Stage.open(repository.folder);
    await session.begun();
    await session.prompt(
      `run printf 'both\\n' > a.txt; cd sub && touch new && git add -A && git -c user.name=a -c user.email=a@b commit -qm new`,
    );
    expect(await session.notes(1)).toMatchObject([{ files: 2 }]);
    const { items } = good(await session.get('/turns'));
    const files = await session.files(`?base=turn&turn=${items[0].turn}`);
    expect(files).toMatchObject([{ path: 'a.txt' }, { path: 'sub', isSubmodule: true }]);
    expect(good(await session.get('?base=start'))).toMatchObject({ underWay: 'merge', isLocked: true });
    expect(repository.git('ls-files', '--unmerged')).toContain('a.txt');

    const bare = new TestRepository();
    bare.git('config', 'core.bare', 'true');
    for (const folder of [`${new TestRepository().folder}/.git/none`, bare.folder]) {
      mkdirSync(folder, { recursive: true });
      const none = await Stage.open(folder);
      await none.prompt('say hello');
      expect((await none.get('?base=start')).status).toBeGreaterThanOrEqual(400);
      expect(await none.notes(0)).toEqual([]);
    }
    const nowhere = await Stage.open(plain.stage.folder);
    await nowhere.prompt('run echo made > made.txt');
    expect(existsSync(nowhere.kept)).toBe(false);
    expect((await nowhere.get('?base=start')).body.code).toBe('REPOSITORY_NOT_FOUND');
    expect(await nowhere.notes(0)).toEqual([]);
  });

  it('[CG1775] what is too much to be noted is left out and said once; the turns go on', async () => {
    const repository = new TestRepository();
    repository.commit({ 'a.txt': 'one\n' });
    const session = await Stage.open(repository.folder);
    await session.begun();
    await session.prompt('run mkdir many && seq -f many/%g 10001 | xargs touch');
    expect(await session.notes(1)).toMatchObject([{ leftOut: expect.stringContaining('10000') }]);
    await session.prompt('run echo more > more.txt');
    const [second, first] = await session.turns(2);
    expect(second).toMatchObject({ files: 0, leftOut: first?.leftOut });
    expect(await session.notes(1)).toHaveLength(1);
    const { status, body } = await session.get(`?base=turn&turn=${first?.turn}`);
    expect([status, body.code]).toEqual([422, 'CHANGE_BASE_NOT_FOUND']);
    expect(JSON.stringify(body)).toContain('10000');
  });
});

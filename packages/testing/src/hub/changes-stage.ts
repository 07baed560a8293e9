import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Store } from '@signalbox/hub';
import type { FileDiff, FolderChangeList } from 'signalbox/hub';
import { type Answer, call, startTestHub, type TestHub, temporaryFolder, tokenFor } from './test-parts.ts';

/** A repository of a test's own, with what git needs to commit. */
export class TestRepository {
  readonly folder: string;

  constructor(folder = temporaryFolder()) {
    this.folder = folder;
    this.git('init', '-q', '-b', 'main');
    this.git('config', 'user.name', 'Ada');
    this.git('config', 'user.email', 'ada@example.org');
  }

  git(...words: string[]): string {
    return execFileSync('git', words, {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  /** Commit files, by their paths. */
  commit(files: Readonly<Record<string, string | Uint8Array>>, message = 'a commit'): void {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.git('add', '--all');
    this.git('commit', '-q', '--allow-empty', '-m', message);
  }
}

/** A hub that looks at the files of sessions. */
export class ChangesStage {
  readonly #hub: TestHub;
  readonly home: string;
  #sessions = 0;

  private constructor(hub: TestHub, home: string) {
    this.#hub = hub;
    this.home = home;
  }

  static async open(): Promise<ChangesStage> {
    const home = temporaryFolder();
    const launch = { home, program: [process.execPath], agents: () => [] };
    return new ChangesStage(await startTestHub({ launch }), home);
  }

  get store(): Store {
    return this.#hub.store;
  }

  get url(): string {
    return this.#hub.hub.url;
  }

  get token(): string {
    return this.#hub.token;
  }

  /** A session that works in a folder. */
  async session(folder: string | null): Promise<SessionChanges> {
    this.#sessions += 1;
    const id = `s${this.#sessions}`;
    await this.store.sessions.create(id, { folder });
    // As one that the hub has launched there.
    if (folder !== null)
      await this.store.launches.keep(id, { spec: { agent: 'custom', folder }, device: 'nobody' });
    return new SessionChanges(this, id);
  }

  async remove(session: string): Promise<void> {
    good(await call(this.url, this.token, 'DELETE', `/api/sessions/${session}`));
  }

  tokenFor(scope: 'watch' | 'approve' | 'drive' | 'admin'): Promise<string> {
    return tokenFor(this.store, { scope, name: scope });
  }
}

/** What the API says of the files of one session. */
export class SessionChanges {
  readonly id: string;
  readonly #stage: ChangesStage;

  constructor(stage: ChangesStage, id: string) {
    this.#stage = stage;
    this.id = id;
  }

  call(method: string, path = '', body?: unknown, token = this.#stage.token): Promise<Answer> {
    return call(this.#stage.url, token, method, `/api/sessions/${this.id}/changes${path}`, body);
  }

  async list(query = ''): Promise<FolderChangeList> {
    return good(await this.call('GET', query));
  }

  async diff(query: Readonly<Record<string, string>>): Promise<FileDiff> {
    return good(await this.call('GET', `/diff?${new URLSearchParams(query).toString()}`));
  }

  /** The code of what a request is refused with. */
  async refusal(method: string, path = '', body?: unknown): Promise<[number, string]> {
    const { status, body: problem } = await this.call(method, path, body);
    return [status, problem.code];
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- what the API says
export function good({ status, body }: Answer): any {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
}

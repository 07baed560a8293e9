import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startHub } from '@signalbox/hub';
import type { Session, SessionState, StreamMessage } from '@signalbox/protocol/hub';
import { freePort } from '@signalbox/testing/free-port';
import { sampleSession } from '@signalbox/testing/hub/sample-session';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { HubApi, HubStream } from 'signalbox/hub';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSqliteStore } from '../../hub/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../hub/src/store/store.ts';
import type { SessionKeeper } from '../src/kept/kept-data.ts';
import { KnownSessions } from '../src/live/known-sessions.ts';
import { SessionFeed } from '../src/live/session-feed.ts';
import type { Item } from '../src/model/item.ts';

/** Fails when told to: as a disk does for a moment while a hub starts. */
interface Trouble {
  /** Which reads of the record fail. */
  reads: readonly ('tail' | 'resume' | 'window')[];
}

/** A hub on files that can be put back to what they were. */
class RestartedHub {
  readonly #home = temporaryFolder();
  readonly #port: number;
  readonly #trouble: Trouble = { reads: [] };
  #running: { hub: Awaited<ReturnType<typeof startHub>>; store: Store } | undefined;

  private constructor(port: number) {
    this.#port = port;
    mkdirSync(join(this.#home, 'data'));
    onTestFinished(() => this.end());
  }

  static async open(): Promise<RestartedHub> {
    const hub = new RestartedHub(await freePort());
    await hub.start();
    return hub;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get store(): Store {
    if (!this.#running) throw new Error('it does not run');
    return this.#running.store;
  }

  async start(): Promise<void> {
    const store = await openSqliteStore(join(this.#home, 'data', 'hub.db'));
    const record = troubled(store.record, this.#trouble);
    const hub = await startHub({ store: Object.assign(Object.create(store), { record }), port: this.#port });
    this.#running = { hub, store };
  }

  async end(): Promise<void> {
    const { hub, store } = this.#running ?? {};
    this.#running = undefined;
    await hub?.close();
    await store?.close();
  }

  /** What the files are now, to be put back; while it does not run. */
  keep(name: string): void {
    cpSync(join(this.#home, 'data'), join(this.#home, name), { recursive: true });
  }

  putBack(name: string): void {
    rmSync(join(this.#home, 'data'), { recursive: true });
    cpSync(join(this.#home, name), join(this.#home, 'data'), { recursive: true });
  }

  /** So much is said while it does not run. */
  async append(session: string, count: number): Promise<void> {
    const store = await openSqliteStore(join(this.#home, 'data', 'hub.db'));
    const lines = Array.from({ length: count }, (_, at) => {
      const message = { role: 'assistant', content: [{ type: 'text', text: `later-${at + 1}.` }] };
      return {
        bytes: Buffer.from(JSON.stringify({ type: 'assistant', message, uuid: crypto.randomUUID() })),
      };
    });
    await store.commit({ appends: [{ session, author: { by: 'agent' }, lines }] });
    await store.close();
  }

  /** Reading the record fails until what is returned is called. */
  disturb(reads: Trouble['reads'] = ['tail', 'resume', 'window']): () => void {
    this.#trouble.reads = reads;
    return () => {
      this.#trouble.reads = [];
    };
  }
}

function troubled<Part extends object>(record: Part, trouble: Trouble): Part {
  return new Proxy(record, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...words: unknown[]): unknown =>
        trouble.reads.some((read) => read === name)
          ? Promise.reject(new Error('the disk does not answer'))
          : Reflect.apply(value, target, words);
    },
  });
}

/** A browser that keeps nothing. */
const NO_KEEPER: SessionKeeper = { session: async () => undefined, keepSession: () => {}, remove: () => {} };

/** What a page shows of a session, and whether it ever forgot any of it without having been told to. */
class Page {
  readonly #feed: SessionFeed;
  readonly #faults: string[] = [];
  readonly #keeps: 'every row' | 'some rows';
  #rows: readonly string[] = [];
  #isReset = false;

  constructor(url: string, token: string, session: string, keeps: 'every row' | 'some rows' = 'every row') {
    this.#keeps = keeps;
    const stream = new HubStream({ url, token, reconnect: { baseDelayMs: 10, maxDelayMs: 40 } });
    onTestFinished(() => stream.close());
    const watch = stream.watch.bind(stream);
    stream.watch = (id, listener, options) => watch(id, this.#noting(listener), options);
    this.#feed = new SessionFeed(new HubApi({ url, token }), stream, NO_KEEPER, session);
    this.#feed.subscribe(() => this.#look());
    onTestFinished(() => this.#feed.end());
  }

  get words(): string {
    return this.#rows.join(' ');
  }

  /** Waits until the page says so; of rows that are gone nobody waits for more. */
  becomes(isSo: (words: string, problem: string) => boolean): Promise<unknown> {
    return until(() => {
      expect(this.#faults).toEqual([]);
      const state = this.#feed.state();
      return state.name === 'open' && isSo(this.words, state.problem);
    });
  }

  shows(end: string): Promise<unknown> {
    return this.becomes((words) => words.includes(end));
  }

  #noting(listener: (message: StreamMessage) => void): (message: StreamMessage) => void {
    return (message) => {
      if (message.type === 'reset') this.#isReset = true;
      listener(message);
    };
  }

  #look(): void {
    const state = this.#feed.state();
    const rows = state.name === 'open' ? state.screen.groups.flatMap(({ items }) => items.map(wordsOf)) : [];
    const isKept =
      this.#keeps === 'every row'
        ? this.#rows.every((row, at) => rows[at] === row)
        : rows.length > 0 || this.#rows.length === 0;
    if (!isKept && !this.#isReset)
      this.#faults.push(`${this.words} became ${rows.join(' ')} (${state.name})`);
    this.#rows = rows;
    this.#isReset = false;
  }
}

function stubBrowser(): () => void {
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  return () => vi.unstubAllGlobals();
}

function wordsOf(item: Item): string {
  return 'text' in item && typeof item.text === 'string' ? item.text : item.kind;
}

describe('a page, while its hub is started again and again', () => {
  beforeEach(stubBrowser);

  it.each([1, 2])(
    '[CO2554] keeps every row until the hub says that its record is another one (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const hub = await RestartedHub.open();
      const token = await tokenFor(hub.store);
      await hub.end();
      hub.keep('without');
      await hub.start();
      const { body } = await call(hub.url, token, 'POST', '/api/sessions', { id: 'one' });
      const page = new Page(hub.url, token, 'one');
      let said = 0;
      const say = async (count = 1): Promise<void> => {
        const agent = await TestAgent.dial(`${hub.url}/agent/one`, body.token);
        for (let left = count; left > 0; left -= 1) {
          said += 1;
          await agent.play(`word-${said}.`);
        }
        await page.shows(`word-${said}.`);
        await agent.transport.close();
      };
      await say(5);
      await hub.end();
      hub.keep('older');
      await hub.start();
      await say();
      const acts = {
        again: async () => {
          await hub.end();
          await hub.start();
        },
        // The hub comes up with a database in which there is no such session, and then with the one that was there.
        without: async () => {
          await hub.end();
          hub.keep('now');
          hub.putBack('without');
          await hub.start();
          await page.becomes((_, problem) => problem.includes('no session'));
          await hub.end();
          hub.putBack('now');
          await hub.start();
          await page.becomes((_, problem) => problem === '');
        },
        // A copy was put back, and has less than what the page shows.
        older: async () => {
          await hub.end();
          hub.putBack('older');
          await hub.start();
          await page.shows('word-5.');
        },
        disturbed: async () => {
          await hub.end();
          const settle = hub.disturb();
          await hub.start();
          await page.becomes((_, problem) => problem !== '');
          settle();
          await hub.end();
          await hub.start();
          await page.becomes((_, problem) => problem === '');
        },
      };
      const left = Object.values(acts);
      while (left.length > 0) {
        const [act] = left.splice(random.below(left.length), 1);
        await act?.();
        await say();
      }
    },
  );
});

describe('a page that is far behind when its hub comes back', () => {
  beforeEach(stubBrowser);

  it('[CO2554] keeps its rows until the end of the record has come', async () => {
    const hub = await RestartedHub.open();
    const token = await tokenFor(hub.store);
    const { body } = await call(hub.url, token, 'POST', '/api/sessions', { id: 'one' });
    const page = new Page(hub.url, token, 'one', 'some rows');
    const agent = await TestAgent.dial(`${hub.url}/agent/one`, body.token);
    await agent.play('word-1.');
    await page.shows('word-1.');
    await agent.transport.close();
    await hub.end();
    await hub.append('one', 1500);
    // It tells where the record ends, and cannot read that end.
    const settle = hub.disturb(['tail']);
    await hub.start();
    await page.becomes((words, problem) => problem !== '' && words.includes('word-1.'));
    settle();
    await hub.end();
    await hub.start();
    await page.becomes((words, problem) => problem === '' && words.includes('later-1500.'));
  });
});

describe('the list of sessions', () => {
  it('[CO2555] keeps one that was told of while the list was read, and none that was removed meanwhile', async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a session is looked at
    const session = (id: string) => ({ id }) as Session;
    const known = new KnownSessions();
    const ids = (): string[] => Array.from(known.all, ({ id }) => id).toSorted();
    for (const id of ['moved', 'removed', 'gone']) known.put(session(id));
    async function* pages(): AsyncGenerator<Session[]> {
      yield [session('removed'), session('listed')];
      // It was on the second page, and is on the first from now on.
      known.put(session('moved'));
      known.put(session('new'));
      known.forget('removed');
      yield [session('last')];
    }
    await known.read(pages());
    expect(ids()).toEqual(['last', 'listed', 'moved', 'new']);
  });

  it('[CO2960] takes the place of what was known before it, and not of what was told since; the one that was asked for last holds', async () => {
    const session = (state: SessionState) => sampleSession({ id: 'one', state });
    const known = new KnownSessions();
    const state = (): unknown => Array.from(known.all, (one) => one.state).join();
    known.put(session('active'));
    expect(await known.read(pagesOf([session('disconnected')]))).toBe(true);
    expect(state()).toBe('disconnected');
    const told = known.read(
      pagesOf([session('starting')], () => {
        known.put(session('idle'));
      }),
    );
    expect(await told).toBe(true);
    expect(state()).toBe('idle');
    const [late, release] = held([session('exited')]);
    const overtaken = known.read(late);
    expect(await known.read(pagesOf([session('asking')]))).toBe(true);
    release();
    expect(await overtaken).toBe(false);
    expect(state()).toBe('asking');
  });
});

async function* pagesOf(page: Session[], before: () => void = () => {}): AsyncGenerator<Session[]> {
  before();
  yield page;
}

function held(page: Session[]): [pages: AsyncGenerator<Session[]>, release: () => void] {
  let release = (): void => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  async function* pages(): AsyncGenerator<Session[]> {
    await released;
    yield page;
  }
  return [pages(), () => release()];
}

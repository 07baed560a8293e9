import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type JsonObject, projectKey } from '@signalbox/protocol';
import { freePort } from '@signalbox/testing/free-port';
import { HubApi, type Session } from 'signalbox/hub';
import { earlierInstall, endChild, LOOK_MS, startHub } from './hub-program.ts';
import { fieldsOf, listOf } from './messages.ts';
import { SeenScreen } from './seen-screen.ts';
import type { Stage } from './stage.ts';

/** By what name the hub launches the program of the stage. */
const AGENT = 'stage';

/** What somebody has answered who has used the program before: its first screens are not what is played here. */
const KNOWN = {
  hasCompletedOnboarding: true,
  theme: 'dark',
  customApiKeyResponses: { approved: ['scripted'], rejected: [] },
};

/** A hub that has launched the program of the stage, and a person who moves the conversation between its two views. */
export class ViewScene {
  readonly api: HubApi;
  readonly #stage: Stage;
  readonly #address: { url: string; token: string };
  readonly #id: string;

  private constructor(stage: Stage, address: { url: string; token: string }, api: HubApi, id: string) {
    this.#stage = stage;
    this.#address = address;
    this.api = api;
    this.#id = id;
  }

  /** With `isEarlier`, the hub is of an earlier version, for {@link upgrade}. */
  static async open(stage: Stage, { isEarlier = false } = {}): Promise<ViewScene> {
    const { program, folder, home: personal } = stage;
    const projects = { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } };
    await stage.write(join(personal, '.claude.json'), JSON.stringify({ ...KNOWN, projects }));
    const home = stage.elsewhere('hub');
    mkdirSync(home, { mode: 0o700 });
    const agents = { [AGENT]: { command: [program.command, ...program.args], env: stage.env() } };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ agents }), { mode: 0o600 });
    const port = await freePort();
    const installed = isEarlier ? await earlierInstall(stage.elsewhere('earlier')) : undefined;
    const hub = await startHub(home, port, [], installed);
    const token = readFileSync(join(home, 'token'), 'utf8').trim();
    const address = { url: `http://127.0.0.1:${port}`, token };
    const api = new HubApi(address);
    // Launched agents and terminals outlive a hub that is killed.
    stage.onLeave(async () => {
      for (const { id } of (await api.sessions()).items) await api.stop(id);
      await endChild(hub, 'SIGTERM');
    });
    const {
      session: { id },
    } = await api.createSession({ launch: { agent: AGENT, folder } });
    return new ViewScene(stage, address, api, id);
  }

  /** Install another version in the place of the hub's, and have that take over. */
  async upgrade(): Promise<void> {
    await rm(this.#stage.elsewhere('earlier'), { recursive: true });
    const { port } = new URL(this.#address.url);
    const hub = await startHub(this.#stage.elsewhere('hub'), Number(port), ['--replace']);
    this.#stage.onLeave(() => endChild(hub, 'SIGTERM'));
  }

  async prompt(content: string): Promise<void> {
    await this.api.prompt(this.#id, { clientId: crypto.randomUUID(), content });
  }

  /** Allow what is asked now; waits until something is. */
  async allow(): Promise<void> {
    const { requestId } = await this.#until(async () => (await this.api.permissions()).items[0]);
    await this.api.answer(this.#id, requestId, { behavior: 'allow' });
  }

  /** A shell beside the program. */
  async shell(): Promise<SeenScreen> {
    const { number } = await this.api.startTerminal(this.#id, { cols: 100, rows: 40 });
    return this.#screenOf(number);
  }

  /** Settles with the messages of the record once the turn is over. */
  async turnEnded(): Promise<JsonObject[]> {
    return this.#until(async () => {
      const { entries } = await this.api.events(this.#id);
      const messages = entries.map(({ message }) => fieldsOf(message));
      return messages.some(({ type }) => type === 'result') ? messages : undefined;
    });
  }

  async say(content: string): Promise<void> {
    const before = (await this.said()).length;
    await this.prompt(content);
    await this.#until(async () => (await this.said()).length > before + 1 || undefined);
  }

  /** A session of its own with what was said before a prompt. */
  async forkBefore(words: string): Promise<ViewScene> {
    const { entries } = await this.api.events(this.#id);
    const prompt = entries.find(
      ({ author, message }) =>
        author?.by === 'person' && textOf(fieldsOf(fieldsOf(message).message).content) === words,
    );
    const { id } = await this.api.fork(this.#id, { before: prompt?.seq ?? 0 });
    return new ViewScene(this.#stage, this.#address, this.api, id);
  }

  /** Move it, and wait until it is there. */
  async move(view: 'sdk' | 'terminal'): Promise<Session> {
    await this.api.changeView(this.#id, view, { cols: 100, rows: 40 });
    return this.#until(async () => {
      const session = await this.api.session(this.#id);
      return session.view === view ? session : undefined;
    });
  }

  /** The screen of the program, in its terminal. */
  async screen(): Promise<SeenScreen> {
    const terminals = await this.api.terminals(this.#id);
    const { number = 0 } = terminals.findLast(({ isAgent }) => isAgent) ?? {};
    return this.#screenOf(number);
  }

  #screenOf(number: number): SeenScreen {
    const screen = new SeenScreen({ ...this.#address, session: this.#id, number });
    this.#stage.onLeave(() => Promise.resolve(screen.close()));
    return screen;
  }

  /** Settles when the program has written down that it said this: then it is durable, whatever the screen shows. */
  async written(words: string): Promise<void> {
    const { agentSession } = await this.api.session(this.#id);
    const { home, folder } = this.#stage;
    const file = join(home, '.claude', 'projects', projectKey(folder), `${agentSession}.jsonl`);
    await this.#until(async () => (await this.#stage.read(file))?.includes(`"text":"${words}"`) || undefined);
  }

  /** What the record says, in its order: prompts with `> `, answers, and marks of the view. */
  async said(): Promise<string[]> {
    const { entries } = await this.api.events(this.#id);
    return entries.flatMap(({ message }) => {
      const { type, subtype, view, message: inner, isReplay } = fieldsOf(message);
      if (type === 'hub' && subtype === 'view') return [`[${String(view)}]`];
      const text = textOf(fieldsOf(inner).content);
      if (type === 'user' && !isReplay) return [`> ${text}`];
      return type === 'assistant' && text ? [text] : [];
    });
  }

  async #until<T>(look: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await pause(LOOK_MS);
    }
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((block) => fieldsOf(block).text)
    .filter((text) => typeof text === 'string')
    .join('');
}

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectKey } from '@signalbox/protocol';
import type { NewView, Session } from '@signalbox/protocol/hub';
import { endTerminals, SeenTerminal } from '@signalbox/testing/hub/terminal-stage';
import { type Answer, until } from '@signalbox/testing/hub/test-parts';
import { onTestFinished } from 'vitest';
import { STORED_CONVERSATIONS } from '../../../cli/src/up/stored-conversations.ts';
import { LaunchStage } from '../launch/launch-stage.ts';

/** A machine whose hub knows where agents keep their transcripts, and a session of which the agent has said something. */
export class ViewStage {
  readonly launch: LaunchStage;
  readonly id: string;

  private constructor(launch: LaunchStage, id: string) {
    this.launch = launch;
    this.id = id;
    onTestFinished(() => endTerminals(launch.home));
  }

  static async open(): Promise<ViewStage> {
    const launch = await LaunchStage.open({}, undefined, { conversations: STORED_CONVERSATIONS });
    const { id } = await launch.launched();
    await launch.prompt(id, 'say one');
    return new ViewStage(launch, id);
  }

  change(view: NewView['view'], more: object = {}, token?: string): Promise<Answer> {
    return this.launch.call('POST', `/api/sessions/${this.id}/view`, { view, ...more }, token);
  }

  /** The session as the hub tells it. */
  async session(): Promise<Session> {
    return (await this.launch.call('GET', `/api/sessions/${this.id}`)).body;
  }

  /** Settles when the session is as it should be. */
  async becomes(facts: Partial<Session>): Promise<Session> {
    return until(async () => {
      const session = await this.session();
      return Object.entries(facts).every(([name, value]) => Reflect.get(session, name) === value)
        ? session
        : undefined;
    });
  }

  /** Look at the terminal of the agent, once that shows what was said before. */
  async screen(token = this.launch.token): Promise<SeenTerminal> {
    const { items } = (await this.launch.call('GET', `/api/sessions/${this.id}/terminals`)).body;
    const { number } = items.findLast(({ isAgent }: { isAgent: boolean }) => isAgent);
    const { url } = this.launch.hub;
    const screen = new SeenTerminal({ url, token, session: this.id, number });
    // An agent that is still starting does not read keys yet.
    await screen.shows('say one');
    return screen;
  }

  /** Say something in the terminal, and wait until its answer is written down. */
  async sayThere(word: string): Promise<void> {
    await (await this.screen()).type(`say ${word}\r`);
    const file = await this.transcript();
    await until(() => readFileSync(file, 'utf8').includes(`"text":"${word}"`));
  }

  /** What was said, with the marks of where: `> ` is a prompt. */
  async said(): Promise<string[]> {
    // oxlint-disable-next-line typescript/no-explicit-any -- messages of every shape
    const words = (content: any): string =>
      // oxlint-disable-next-line typescript/no-explicit-any -- the same
      typeof content === 'string' ? content : content.map(({ text }: any) => text ?? '').join('');
    return (await this.launch.messagesOf(this.id)).flatMap(({ type, subtype, view, message, isReplay }) => {
      if (type === 'hub' && subtype === 'view') return [`[${view}]`];
      if (type === 'user' && !isReplay) return [`> ${words(message.content)}`];
      return type === 'assistant' ? [words(message.content)] : [];
    });
  }

  /** Where the agent keeps the transcript of its conversation. */
  async transcript(): Promise<string> {
    const { agentSession } = await this.session();
    const { home, folder } = this.launch;
    return join(home, '.claude', 'projects', projectKey(folder), `${agentSession}.jsonl`);
  }

  async loseTranscript(): Promise<void> {
    rmSync(await this.transcript());
  }
}

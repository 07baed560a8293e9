import {
  type HubApi,
  HubRefusedError,
  type HubStream,
  type Loop,
  type LoopIteration,
  type Session,
} from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { shortId } from '../hub/pick-session.ts';
import { askInTerminal } from '../run/ask-in-terminal.ts';
import { outputFor } from '../run/output-for.ts';
import { PersonAsks } from '../run/person-asks.ts';
import { TerminalTurn, type TurnOutput } from '../run/turn-output.ts';
import { SessionListener } from './session-listener.ts';

interface Shown {
  session: string;
  output: TurnOutput;
  listener: SessionListener;
  end: () => void;
}

/** Shows the session of the iteration that runs: what its agent says, and what it asks. */
export class IterationView {
  readonly #api: HubApi;
  readonly #stream: HubStream;
  readonly #style: { isAllowed: boolean; isJson: boolean };
  readonly #stopWatching: () => void;
  onInterrupt: () => void = () => {};
  #shown: Shown | undefined;
  /** The session that is to be shown as soon as it is there. */
  #wanted: string | undefined;
  #number = 0;
  /** Settles when the wanted session is shown. */
  #showing: Promise<void> = Promise.resolve();

  constructor(api: HubApi, stream: HubStream, style: { isAllowed: boolean; isJson: boolean }) {
    this.#api = api;
    this.#stream = stream;
    this.#style = style;
    this.#stopWatching = stream.watchSessions((session) => void this.#show(session));
  }

  /** Show an iteration from its beginning; one that is shown goes on. */
  follow({ spec }: Loop, { number, session }: LoopIteration): void {
    if (number === this.#number) return;
    this.#number = number;
    if (this.#shown?.session !== session) this.#end();
    this.note(`iteration ${number}/${spec.maxIterations}, session ${shortId(session)}`);
    if (this.#shown) return;
    this.#wanted = session;
    // A session is made right after its iteration has begun: one that is not there yet will be told of.
    this.#api.session(session).then(
      (known) => this.#show(known),
      () => {},
    );
  }

  /** Show an iteration that is over to its end, also one that was over before anything of it was shown. */
  async finish(loop: Loop, iteration: LoopIteration): Promise<void> {
    this.follow(loop, iteration);
    const { session } = iteration;
    try {
      const { last } = await this.#api.events(session, { limit: 1 });
      await this.#show(await this.#api.session(session));
      await this.#shown?.listener.heardUpTo(last);
    } catch (error) {
      // An iteration that could not be begun has no session, and somebody may have removed one.
      if (!(error instanceof HubRefusedError)) throw error;
    }
  }

  /** What an iteration or the loop came to: a line and what belongs to it, or an object for programs. */
  sum(line: string, more: string, object: object): void {
    if (this.#style.isJson) process.stdout.write(`${JSON.stringify(object)}\n`);
    else for (const text of [line, more].filter(Boolean)) this.note(text);
  }

  note(text: string): void {
    if (this.#shown) this.#shown.output.note(text);
    else process.stderr.write(`signalbox loop: ${harmless(text)}\n`);
  }

  close(): void {
    this.#stopWatching();
    this.#wanted = undefined;
    this.#end();
  }

  #end(): void {
    this.#shown?.end();
    this.#shown?.output.close();
    this.#shown = undefined;
  }

  #show(known: Session): Promise<void> {
    if (known.id === this.#wanted) this.#showing = this.#open(known);
    return this.#showing;
  }

  async #open(known: Session): Promise<void> {
    const session = known.id;
    this.#wanted = undefined;
    const { isJson, isAllowed } = this.#style;
    const output = await outputFor(known, { isJson, command: 'loop' });
    const isAsked = process.stdin.isTTY && output instanceof TerminalTurn;
    const asks = new PersonAsks({
      style: isAllowed ? 'allow' : isAsked ? 'ask' : 'wait',
      ask: (permission, called) =>
        output.asking(permission, () => askInTerminal(permission, called, () => this.onInterrupt())),
      answer: ({ requestId }, answer) => this.#stream.answer(session, requestId, answer),
      say: (text) => output.note(text),
    });
    const listener = new SessionListener(output, asks);
    const watched = this.#stream.watch(session, (message) => listener.hear(message));
    const end = (): void => {
      watched.end();
      asks.close();
      listener.leave();
    };
    this.#shown = { session, output, listener, end };
  }
}

import type { PermissionRequest, PersonAnswer } from 'signalbox/hub';
import { endOfAsk } from '../hub/author-words.ts';
import { commandHere } from '../own-command.ts';

/** Who is asked: the person here, nobody because all is allowed, or somebody elsewhere. */
export type AskStyle = 'ask' | 'allow' | 'wait';

/** How requests of an agent are put to a person and answered. */
export interface AskParts {
  style: AskStyle;
  /** Undefined when it cannot be answered here. */
  ask: (permission: PermissionRequest, signal: AbortSignal) => Promise<PersonAnswer | undefined>;
  answer: (
    permission: PermissionRequest,
    answer: PersonAnswer,
  ) => Promise<{ permission: PermissionRequest; isFirst: boolean }>;
  say: (text: string) => void;
}

/** What needs a choice cannot be allowed without one. */
const NEEDS_A_PERSON = ['AskUserQuestion'];

/** The open requests of an agent, one after the other; one that is answered elsewhere is not asked any more. */
export class PersonAsks {
  readonly #parts: AskParts;
  readonly #open = new Map<string, AbortController>();
  /** Answered here: other terminals of this machine are the same device, and look the same from the hub. */
  readonly #answered = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(parts: AskParts) {
    this.#parts = parts;
  }

  /** A request is new or has changed. */
  take(permission: PermissionRequest): void {
    const { requestId, state } = permission;
    const known = this.#open.get(requestId);
    if (state === 'open' && !known) this.#opened(permission);
    if (state === 'open' || !known) return;
    this.#open.delete(requestId);
    known.abort();
    if (!this.#answered.delete(requestId)) this.#tellEnd(permission);
  }

  /** Ask for nothing any more. */
  close(): void {
    for (const leaving of this.#open.values()) leaving.abort();
    this.#open.clear();
  }

  #opened(permission: PermissionRequest): void {
    const { style, say } = this.#parts;
    const leaving = new AbortController();
    this.#open.set(permission.requestId, leaving);
    const isAllowed = style === 'allow' && !needsPerson(permission);
    if (isAllowed) this.#queue(() => this.#answer(permission, { behavior: 'allow' }));
    else if (style === 'ask') this.#queue(() => this.#ask(permission, leaving.signal));
    else
      say(`the agent asks for something and waits: answer in the browser, or with ${commandHere('answer')}`);
  }

  #queue(work: () => Promise<unknown>): void {
    this.#last = this.#last.then(work).then(
      () => {},
      (error: unknown) => this.#parts.say(String(error)),
    );
  }

  async #ask(permission: PermissionRequest, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const answer = await this.#parts.ask(permission, signal);
    if (signal.aborted) return;
    if (answer) await this.#answer(permission, answer);
    else this.#parts.say('this cannot be answered here: answer it in the browser');
  }

  async #answer(permission: PermissionRequest, answer: PersonAnswer): Promise<void> {
    this.#answered.add(permission.requestId);
    const { isFirst, permission: answered } = await this.#parts.answer(permission, answer);
    if (!isFirst) this.#tellEnd(answered);
  }

  #tellEnd(permission: PermissionRequest): void {
    const end = endOfAsk(permission);
    if (end !== undefined) this.#parts.say(end);
  }
}

function needsPerson({ request }: PermissionRequest): boolean {
  return request.subtype !== 'can_use_tool' || NEEDS_A_PERSON.includes(String(request.tool_name));
}

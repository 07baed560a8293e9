import type { Prompt, PromptDelivery } from '@signalbox/protocol/hub';
import type { Inbox, NewPrompt, PromptEdit } from '../prompt.ts';
import { encodeContent, type PackedPrompt, type SqlInbox } from '../sql/parts/inbox.ts';
import { promptOf, type WrittenPrompt } from '../written-prompt.ts';
import type { Caller } from './call.ts';
import type { ResultOf } from './part.ts';

/** The inbox as its users see it: contents are packed here, on their thread. */
export class InboxClient implements Inbox {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async admit({ content, ...prompt }: NewPrompt): Promise<Prompt> {
    const packed: PackedPrompt = { ...prompt, content: new TextEncoder().encode(encodeContent(content)) };
    const admitted = await this.#call('admit', [packed], [packed.content.buffer]);
    return 'content' in admitted ? promptOf(admitted) : { ...admitted, content };
  }

  async list(session: string): Promise<Prompt[]> {
    return (await this.#call('list', [session])).map(promptOf);
  }

  pendingBytes(session: string): Promise<number> {
    return this.#call('pendingBytes', [session]);
  }

  async get(id: string): Promise<Prompt | undefined> {
    return known(await this.#call('get', [id]));
  }

  sessionOf(id: string): Promise<string | undefined> {
    return this.#call('sessionOf', [id]);
  }

  async edit(id: string, change: PromptEdit): Promise<Prompt> {
    return promptOf(await this.#call('edit', [id, change]));
  }

  async cancel(id: string): Promise<Prompt> {
    return promptOf(await this.#call('cancel', [id]));
  }

  async take(session: string, delivery?: PromptDelivery): Promise<Prompt | undefined> {
    return known(await this.#call('take', [session, delivery]));
  }

  markDelivered(id: string): Promise<boolean> {
    return this.#call('markDelivered', [id]);
  }

  async #call<Name extends keyof SqlInbox>(
    method: Name,
    values: Parameters<SqlInbox[Name]>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<ResultOf<SqlInbox[Name]>> {
    const value = await this.#caller({ part: 'inbox', method, values }, transfer);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the method of this name ran on the other side
    return value as ResultOf<SqlInbox[Name]>;
  }
}

function known(prompt: WrittenPrompt | undefined): Prompt | undefined {
  return prompt && promptOf(prompt);
}

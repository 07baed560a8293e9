import { setTimeout as pause } from 'node:timers/promises';
import { SignalboxError } from '@signalbox/protocol';
import type { PromptDelivery } from '@signalbox/protocol/hub';
import type { SeededRandom } from '@signalbox/testing/seeded-random';
import { type HubApi, HubRefusedError } from 'signalbox/hub';
import type { AdmittedPrompt, ToldAnswer } from './evidence.ts';

/** How long a person waits before the next prompt, at most. */
const MAX_PAUSE_MS = 1000;

/** How many of a hundred prompts go into the turn that runs. */
const STEERING = 25;

/** What the next prompt says. */
export type Script = (random: SeededRandom) => string;

/** Prompts a session and answers what its agent asks, by REST, and repeats everything: as a client does whose hub is killed. */
export class SendingPerson {
  readonly admitted: AdmittedPrompt[] = [];
  readonly told: ToldAnswer[] = [];
  readonly #api: HubApi;
  readonly #session: string;
  readonly #random: SeededRandom;
  #state: 'at-work' | 'answering' | 'leaving' = 'at-work';
  readonly #work: Promise<unknown>;

  constructor(api: HubApi, session: string, random: SeededRandom, script: Script) {
    this.#api = api;
    this.#session = session;
    this.#random = random;
    this.#work = Promise.all([this.#prompt(script), this.#answer()]);
  }

  /** Send no more prompts; questions are answered still. */
  fallSilent(): void {
    this.#state = 'answering';
  }

  async leave(): Promise<void> {
    this.#state = 'leaving';
    await this.#work;
  }

  async #prompt(script: Script): Promise<void> {
    for (let index = 1; this.#state === 'at-work'; index += 1) {
      const delivery: PromptDelivery = this.#random.chance(STEERING) ? 'steer' : 'queue';
      const prompt = { clientId: `p${index}`, content: script(this.#random), delivery };
      const times = 1 + this.#random.below(3);
      await Promise.all(Array.from({ length: times }, () => this.#admit(prompt)));
      await pause(this.#random.below(MAX_PAUSE_MS));
      if (this.#random.chance(30)) await this.#admit(prompt);
    }
  }

  async #admit(prompt: { clientId: string; content: string; delivery: PromptDelivery }): Promise<void> {
    const { id } = await insist(() => this.#api.prompt(this.#session, prompt));
    this.admitted.push({ clientId: prompt.clientId, id, delivery: prompt.delivery });
  }

  async #answer(): Promise<void> {
    while (this.#state !== 'leaving') {
      const { items } = await insist(() => this.#api.permissions({ session: this.#session }));
      await Promise.all(
        items.flatMap(({ requestId }) => ['ann', 'bob'].map((by) => this.#decide(requestId, by))),
      );
      await pause(this.#random.below(100));
    }
  }

  async #decide(requestId: string, by: string): Promise<void> {
    const answer = { behavior: 'allow', updatedInput: { by } } as const;
    const { permission, isFirst } = await insist(() => this.#api.answer(this.#session, requestId, answer));
    const { state } = permission;
    this.told.push({
      session: this.#session,
      requestId,
      isFirst,
      state,
      response: permission.answer?.response,
    });
  }
}

/** What a hub refuses with while it cannot reach its leader or its database. */
const PASSING = /^(NO_LEADER|LEADER_LOST|STORE_)/;

function mayPass(error: unknown): boolean {
  if (error instanceof HubRefusedError) return PASSING.test(error.reason);
  return error instanceof SignalboxError && error.code === 'HUB_UNREACHABLE';
}

/** Ask until there is an answer. */
export async function insist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await pause(30);
    }
  }
}

import type { JsonObject } from '@signalbox/protocol';
import { isResult } from './messages.ts';
import { OUR_AGENT } from './program.ts';
import { promptId } from './prompts.ts';
import type { Scenario } from './scenario.ts';
import type { Sdk, SdkQuery } from './sdk.ts';
import type { Stage } from './stage.ts';

function prompt(content: string, uuid = promptId()): JsonObject {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '', uuid };
}

/** Prompts that are handed to the SDK one at a time, when the scenario says so. */
export class Prompts implements AsyncIterable<JsonObject> {
  readonly #ready: JsonObject[] = [];
  #state: 'open' | 'ended' = 'open';
  #wake = (): void => {};

  say(content: string, uuid?: string): void {
    this.#ready.push(prompt(content, uuid));
    this.#wake();
  }

  end(): void {
    this.#state = 'ended';
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<JsonObject> {
    for (;;) {
      const next = this.#ready.shift();
      if (next) yield next;
      else if (this.#state === 'ended') return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** Everything that the messages of a query give, each handed to `on` as it comes. */
export async function listen(
  query: SdkQuery,
  on: (message: JsonObject) => unknown = () => {},
): Promise<JsonObject[]> {
  const messages: JsonObject[] = [];
  for await (const message of query) {
    messages.push(message);
    await on(message);
  }
  return messages;
}

/** An official SDK on a stage. */
export interface SdkScene {
  readonly stage: Stage;
  readonly sdk: Sdk;
  /** One prompt as a text, and all that follows. */
  readonly ask: (content: string, options?: JsonObject) => Promise<JsonObject[]>;
  /** One prompt in a conversation that stays open until its result, and all that follows. */
  readonly converse: (content: string, options?: JsonObject) => Promise<JsonObject[]>;
  readonly start: (prompts: Prompts, options?: JsonObject) => SdkQuery;
}

function scene(stage: Stage, sdk: Sdk): SdkScene {
  const executable = stage.program.id === 'ours' ? OUR_AGENT : stage.program.command;
  const call = (said: string | Prompts, more: JsonObject = {}): SdkQuery => {
    const abortController = new AbortController();
    stage.onLeave(() => Promise.resolve(abortController.abort()));
    const options = {
      pathToClaudeCodeExecutable: executable,
      cwd: stage.folder,
      env: stage.env(),
      abortController,
    };
    return sdk.query({ prompt: said, options: { ...options, ...more } });
  };
  return {
    stage,
    sdk,
    ask: (content, options) => listen(call(content, options)),
    converse: (content, options) => {
      const prompts = new Prompts();
      prompts.say(content);
      return listen(call(prompts, options), (message) => isResult(message) && prompts.end());
    },
    start: call,
  };
}

/** What each version of the SDK must do with our agent, and with the CLI it was published for. */
export function sdkScenarios(
  sdks: readonly Sdk[],
  behaviours: Readonly<Record<string, (scene: SdkScene) => Promise<void>>>,
): Scenario[] {
  return sdks.flatMap((sdk) =>
    Object.entries(behaviours).map(([name, behave]) => ({
      name: `SDK ${sdk.version}: ${name}`,
      programs: ['ours', sdk.cli] as const,
      play: (stage: Stage) => behave(scene(stage, sdk)),
    })),
  );
}

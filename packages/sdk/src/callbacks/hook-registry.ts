import type { ControlHandler, JsonObject } from '@signalbox/protocol';
import { atItsWord } from '../agent-words.ts';
import type { HookCallback } from '../types/hooks.ts';
import type { Options } from '../types/options.ts';

/** The hooks of a conversation, by the ids that the agent knows them by. */
export class HookRegistry {
  readonly #callbacks = new Map<string, HookCallback>();
  /** What `initialize` says about them; undefined when there are none. */
  readonly registration: JsonObject | undefined;
  /** Whether a hook that fails must stop what it watches. */
  readonly mustBlockOnFailure: boolean;

  constructor(hooks: Options['hooks'] = {}) {
    const events = Object.entries(hooks).filter(([, matchers]) => matchers.length > 0);
    const registered = events.map(([event, matchers]) => [
      event,
      matchers.map(({ hooks: callbacks, ...rest }) => ({
        ...rest,
        hookCallbackIds: callbacks.map((callback) => this.#add(callback)),
      })),
    ]);
    this.registration = registered.length > 0 ? Object.fromEntries(registered) : undefined;
    this.mustBlockOnFailure = events.some(([, matchers]) =>
      matchers.some(({ onFailure }) => onFailure === 'block'),
    );
  }

  /** Answers `hook_callback`. */
  readonly answer: ControlHandler = async ({ callback_id, input, tool_use_id }, { signal }) => {
    const callback = this.#callbacks.get(String(callback_id));
    if (!callback) throw new Error(`No hook callback found for ID: ${String(callback_id)}`);
    const toolUseId = typeof tool_use_id === 'string' ? tool_use_id : undefined;
    return { ...(await callback(atItsWord('hook', input), toolUseId, { signal })) };
  };

  #add(callback: HookCallback): string {
    const id = `hook_${this.#callbacks.size}`;
    this.#callbacks.set(id, callback);
    return id;
  }
}

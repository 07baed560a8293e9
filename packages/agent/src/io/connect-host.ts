import type { Channel, PromptMessage } from '@signalbox/protocol';
import { PromptQueueFullError } from '../base/agent-errors.ts';
import type { Output } from '../base/host.ts';
import type { PromptLifecycle } from '../conversation/prompt-lifecycle.ts';
import { replayedPrompt } from '../conversation/replayed-prompt.ts';
import { type SessionState, stamp } from '../loop/session-core.ts';
import { HostLink } from './host-link.ts';
import type { PromptQueue } from './prompt-queue.ts';

/** What a host's words change. */
export interface HostTargets {
  readonly output: Output;
  readonly prompts: PromptQueue;
  readonly lifecycle: PromptLifecycle;
  readonly state: Readonly<SessionState>;
  readonly env: NodeJS.ProcessEnv;
}

/** A host that talks: its prompts are queued, its variables taken over. It is heard once its peer runs. */
export function connectHost(channel: Channel, targets: HostTargets): HostLink {
  const { output, prompts, lifecycle, state, env } = targets;
  const add = (prompt: Parameters<PromptQueue['add']>[0]): boolean | undefined => {
    try {
      return prompts.add(prompt);
    } catch (error) {
      if (!(error instanceof PromptQueueFullError)) throw error;
      const content = `${error.code}: ${error.message}`;
      const notice = { type: 'system', subtype: 'informational', content, level: 'warning' } as const;
      void output.write({ ...notice, ...stamp(state) });
      return undefined;
    }
  };
  return new HostLink(channel, output, {
    onPrompt: (given) => {
      const prompt = received(given);
      // One that was taken before has no turn of its own in which it could be replayed.
      const isAdded = add(prompt);
      if (isAdded === false) void output.write(replayedPrompt(prompt, state.id));
      if (isAdded && typeof given.uuid === 'string') void lifecycle.queued(given.uuid);
    },
    onLateAnswer: add,
    onEnvironment: (variables) => void Object.assign(env, variables),
  });
}

/** One id for the queue, the replay, the transcript and the checkpoint. Of origins a host can only claim a person. */
function received({ origin, uuid, ...prompt }: PromptMessage): PromptMessage {
  const isHuman = origin?.kind === 'human';
  return { ...prompt, uuid: uuid ?? crypto.randomUUID(), ...(isHuman ? { origin: { kind: 'human' } } : {}) };
}

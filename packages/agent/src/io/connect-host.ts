import type { Channel, PromptMessage } from '@signalbox/protocol';
import { PromptQueueFullError } from '../base/agent-errors.ts';
import type { Output } from '../base/host.ts';
import { type SessionState, stamp } from '../loop/session-core.ts';
import { HostLink } from './host-link.ts';
import type { PromptQueue } from './prompt-queue.ts';

/** What a host's words change. */
export interface HostTargets {
  readonly output: Output;
  readonly prompts: PromptQueue;
  readonly state: Readonly<SessionState>;
  readonly env: NodeJS.ProcessEnv;
  /** Whether every prompt is sent back; one that was taken before always is. */
  readonly replaysPrompts: boolean;
}

/** A host that talks: its prompts are queued, its variables taken over. It is heard once its peer runs. */
export function connectHost(channel: Channel, targets: HostTargets): HostLink {
  const { output, prompts, state, env, replaysPrompts } = targets;
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
      // One id for the queue, the replay, the transcript and the checkpoint.
      const prompt = { ...given, uuid: given.uuid ?? crypto.randomUUID() };
      const isNew = add(prompt);
      if (isNew === undefined) return;
      if (replaysPrompts || !isNew) void output.write(replayOf(prompt, state.id));
    },
    onLateAnswer: add,
    onEnvironment: (variables) => void Object.assign(env, variables),
  });
}

function replayOf({ message, uuid }: PromptMessage & { uuid: string }, session_id: string) {
  return { type: 'user', message, parent_tool_use_id: null, session_id, uuid, isReplay: true } as const;
}

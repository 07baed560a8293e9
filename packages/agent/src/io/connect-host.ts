import type { Channel, PromptMessage } from '@signalbox/protocol';
import type { Output } from '../base/host.ts';
import type { SessionState } from '../loop/session-core.ts';
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
  return new HostLink(channel, output, {
    onPrompt: (given) => {
      // One id for the queue, the replay, the transcript and the checkpoint.
      const prompt = { ...given, uuid: given.uuid ?? crypto.randomUUID() };
      const isNew = prompts.add(prompt);
      if (replaysPrompts || !isNew) void output.write(replayOf(prompt, state.id));
    },
    onEnvironment: (variables) => void Object.assign(env, variables),
  });
}

function replayOf({ message, uuid }: PromptMessage & { uuid: string }, session_id: string) {
  return { type: 'user', message, parent_tool_use_id: null, session_id, uuid, isReplay: true } as const;
}

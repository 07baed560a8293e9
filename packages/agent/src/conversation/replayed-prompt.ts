import type { PromptMessage } from '@signalbox/protocol';

/** A prompt as it is sent back to the host that sent it. */
export function replayedPrompt({ message, uuid, origin, timestamp }: PromptMessage, session_id: string) {
  return {
    type: 'user',
    message,
    parent_tool_use_id: null,
    session_id,
    uuid: uuid ?? crypto.randomUUID(),
    timestamp: timestamp ?? new Date().toISOString(),
    isReplay: true,
    ...(origin ? { origin } : {}),
  } as const;
}

/** Whether the agent itself prompts, for example to tell of a task that has ended. */
export function isOwnPrompt({ origin }: PromptMessage): boolean {
  return Boolean(origin && origin.kind !== 'human');
}

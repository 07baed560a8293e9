import type { LaunchSpec } from '@signalbox/protocol/hub';
import { HOSTED } from '../bridge/hosted-command.ts';

/** Which conversation an agent begins with. */
export type Conversation = { kind: 'new'; id?: string } | { kind: 'resume'; id: string; isFork: boolean };

/**
 * The command line of a known agent after its name. Each value is one word with its option: one that begins with a
 * dash must not become an option of its own.
 */
export function agentWords(spec: LaunchSpec, conversation: Conversation): string[] {
  const { model, mode, tools, allowedTools, disallowedTools, args = [] } = spec;
  return [
    ...HOSTED,
    ...word('--model', model),
    ...word('--permission-mode', mode),
    ...word('--tools', tools?.join(',')),
    ...word('--allowed-tools', allowedTools?.join(',')),
    ...word('--disallowed-tools', disallowedTools?.join(',')),
    ...conversationWords(conversation),
    ...args,
  ];
}

function conversationWords(conversation: Conversation): string[] {
  if (conversation.kind === 'new') return word('--session-id', conversation.id);
  return [`--resume=${conversation.id}`, ...(conversation.isFork ? ['--fork-session'] : [])];
}

function word(option: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${option}=${value}`];
}

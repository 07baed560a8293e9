import type { LaunchSpec } from '@signalbox/protocol/hub';
import { HOSTED } from '../bridge/hosted-command.ts';
import type { Conversation } from './agent-session.ts';

/** The command line of a known agent after its name, for one that talks to its bridge. */
export function agentWords(spec: LaunchSpec, conversation: Conversation): string[] {
  const at = conversation.kind === 'resume' ? conversation.at : undefined;
  return [...HOSTED, ...commonWords(spec, conversation), ...word('--resume-session-at', at)];
}

/** The same for one that shows its own screen. A prompt that begins with a dash must not become an option. */
export function screenWords(spec: LaunchSpec, conversation: Conversation, prompt?: string): string[] {
  return [...commonWords(spec, conversation), ...(prompt === undefined ? [] : ['--', prompt])];
}

/** Each value is one word with its option: one that begins with a dash must not become an option of its own. */
function commonWords(spec: LaunchSpec, conversation: Conversation): string[] {
  const { model, mode, tools, allowedTools, disallowedTools, args = [] } = spec;
  return [
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

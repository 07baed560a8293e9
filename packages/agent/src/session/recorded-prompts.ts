import { blocksOf, isMessage } from '@signalbox/protocol';
import type { LoadedSession } from './load-session.ts';

/** The prompts of a loaded session: a host that was cut off may send one again. */
export interface RecordedPrompts {
  /** Those that the conversation went on after; they are not answered twice. */
  readonly answered: ReadonlySet<string>;
  /** The one that is recorded last, where nothing followed it. */
  readonly unanswered: string | undefined;
}

export function recordedPrompts(loaded: LoadedSession | undefined): RecordedPrompts {
  const messages = loaded?.entries.filter(isMessage) ?? [];
  const last = messages.at(-1);
  const isPrompt = last?.type === 'user' && !blocksOf(last).some(({ type }) => type === 'tool_result');
  const unanswered = isPrompt ? last.uuid : undefined;
  const prompts = messages.filter(({ type, uuid }) => type === 'user' && uuid !== unanswered);
  return { answered: new Set(prompts.map(({ uuid }) => uuid)), unanswered };
}

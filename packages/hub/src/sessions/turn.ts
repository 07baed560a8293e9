import type { LineHead } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';

/** Whether an agent is at work on a prompt. */
export type Turn = 'running' | 'none';

/** What of a session's record says how its turn stands. */
export function turnAfter(turn: Turn, author: Author, head: LineHead): Turn {
  const { type, subtype } = head;
  // What was said in a terminal has no result: it is over when the conversation is back.
  if (author.by !== 'agent' && type === 'hub' && subtype === 'view') return 'none';
  if (author.by !== 'agent') return author.by === 'person' && type === 'user' ? 'running' : turn;
  switch (type) {
    case 'result':
      return 'none';
    case 'assistant':
    case 'stream_event':
      // A sub-agent in the background speaks after the turn that started it.
      return turn === 'running' || head.parentToolUseId === undefined ? 'running' : turn;
    case 'system':
      return head.subtype === 'init' ? 'running' : turn;
    case 'bridge':
      return head.subtype === 'started' || head.subtype === 'exited' ? 'none' : turn;
    default:
      return turn;
  }
}

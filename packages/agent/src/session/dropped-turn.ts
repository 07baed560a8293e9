import { blocksOf, type ChainedEntry, isMessage, isToolAnswer } from '@signalbox/protocol';
import { isSessionId } from './resume-target.ts';
import { ResumeDropsMoreError } from './session-errors.ts';

/** What the agent itself says in the person's place when a turn is interrupted. */
const INTERRUPTED = '[Request interrupted by user';

/**
 * Make sure that what a resume leaves out is the turn that somebody means to take back, and nothing that they may not
 * have seen: a prompt that was queued, or news of a task. Throws {@link ResumeDropsMoreError}.
 */
export function assertDropsTurn(
  dropped: readonly ChainedEntry[],
  { at, turn }: { at: string; turn: string },
): void {
  if (!isSessionId(turn)) throw new ResumeDropsMoreError(at, turn, `declared turn id is not a UUID: ${turn}`);
  const [first, ...more] = dropped.filter(isPrompt);
  if (first?.uuid !== turn) {
    const what = first ? `; first discarded prompt [uuid=${first.uuid}]` : '';
    throw new ResumeDropsMoreError(at, turn, `range does not start with the declared turn prompt${what}`);
  }
  const [other] = more;
  if (other) {
    const what = `[type=user, uuid=${other.uuid}]`;
    throw new ResumeDropsMoreError(
      at,
      turn,
      `range contains a user entry not attributable to the declared turn; ${what}`,
    );
  }
}

function isPrompt(entry: ChainedEntry): boolean {
  if (!isMessage(entry) || entry.type !== 'user' || entry.isSidechain === true) return false;
  if (entry.isMeta === true || entry.isCompactSummary === true || isToolAnswer(entry)) return false;
  const text = blocksOf(entry).find(({ type }) => type === 'text')?.text;
  return !(typeof text === 'string' && text.startsWith(INTERRUPTED));
}

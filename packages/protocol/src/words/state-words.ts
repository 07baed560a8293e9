import type { Session } from '../hub/schema/session.ts';
import { SESSION_STATES, type SessionState } from '../hub/session-state.ts';

/** How people are told about a state of a session: one word for a list, a sentence where there is room. */
export interface StateWords {
  word: string;
  sentence: string;
}

/** The one vocabulary for states; the hub's API has the names on the left. */
export const STATE_WORDS: Readonly<Record<SessionState, StateWords>> = {
  starting: { word: 'starting', sentence: 'The agent is starting.' },
  active: { word: 'working', sentence: 'The agent is working.' },
  asking: { word: 'asks you', sentence: 'The agent waits for an answer.' },
  idle: { word: 'ready', sentence: 'The agent waits for a prompt.' },
  terminal: {
    word: 'in a terminal',
    sentence: 'The agent runs in a terminal, with its own screen. Bring it back to send it prompts here.',
  },
  disconnected: { word: 'not connected', sentence: 'The agent is not connected; prompts wait for it.' },
  exited: { word: 'ended', sentence: 'The agent has ended; prompts wait until it is started again.' },
};

/** The hub that launched an agent starts it again. */
const ENDED_HERE: StateWords = { word: 'ended', sentence: 'The agent has ended; a prompt starts it again.' };

const NO_KEY =
  'It has no key for its model. Set ANTHROPIC_API_KEY where the hub runs, or sign in there with claude; start the hub again, end this agent, and start it again.';

/** How people are told about a session: one that waits for a prompt, and could do nothing with the last, is not ready. */
export function stateWords({
  state,
  problem,
  isLaunched,
}: Pick<Session, 'state' | 'problem'> & Partial<Pick<Session, 'isLaunched'>>): StateWords {
  // A hub that is newer than its reader may know more of them.
  if (!Object.hasOwn(STATE_WORDS, state)) return { word: state, sentence: state };
  if (state === 'exited' && isLaunched) return ENDED_HERE;
  if (state !== 'idle' || !problem) return STATE_WORDS[state];
  return problem.code === 'no_credentials'
    ? { word: 'cannot work', sentence: NO_KEY }
    : { word: 'last turn failed', sentence: problem.message };
}

/** The state that somebody means: by its word, or by its name in the API. */
export function stateNamed(text: string): SessionState | undefined {
  return SESSION_STATES.find((name) => text === name || text === STATE_WORDS[name].word);
}

/** Whether there is an agent that can be ended. One that is not connected may run out of reach: the hub knows. */
export function hasAgent(state: SessionState): boolean {
  return state !== 'exited' && state !== 'disconnected';
}

/** What ending the agent of a session means, before somebody does it. */
export function endingWords(state: SessionState): string {
  const turn = state === 'active' || state === 'asking' ? ' in the middle of its turn' : '';
  return `This ends the agent and all that it started${turn}. What was said is kept; if this hub started the agent, it can be started again.`;
}

/** What removing a session means, before somebody does it. */
export function removingWords(state: SessionState, title: string): string {
  const deletes = `deletes all that was said in “${title}”, for good`;
  const files = 'The files that it worked on stay.';
  return `This ${hasAgent(state) ? `ends its agent and ${deletes}` : deletes}. ${files}`;
}

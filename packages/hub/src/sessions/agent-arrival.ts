import type { Dialler, Greeting } from './agent/agent-connection.ts';
import type { AgentListener } from './agent-listener.ts';
import { askOf, problemOfAsk } from './asks/ask-line.ts';
import type { Asks } from './asks/asks.ts';
import type { SessionAgent } from './session-agent.ts';

/** What {@link beginArrival} works with. */
export interface ArrivalParts {
  agent: SessionAgent;
  asks: Asks;
  listener: AgentListener;
  /** The turn that ran may be over without a word of it: prompts must not wait for it for ever. */
  onTurnLost: () => void;
  watch: (work: Promise<unknown>) => void;
  onTrouble: (error: unknown) => void;
}

/** An agent has dialled in, and is about to be greeted; gives what its answer means for the questions that are open. */
export function beginArrival(
  { agent, asks, listener, onTurnLost, watch, onTrouble }: ArrivalParts,
  dialler: Dialler,
): (greeting: Greeting) => Promise<void> {
  const arrival = agent.identity.arrives(dialler);
  // From now on nobody can answer the one before, although this one has not spoken yet.
  if (arrival === 'another') watch(asks.expire());
  const openBefore = asks.greeting();
  const epochBefore = agent.epoch;
  return async (greeting) => {
    agent.identity.greeted();
    // Today's claude takes a second greeting for a first one. A link that goes on says that its process does too.
    const isSameLink = epochBefore !== undefined && agent.epoch === epochBefore;
    if ((arrival === 'known' || isSameLink) && greeting.agent === 'new') return asks.goOn();
    // A plain link may have lost the end of a turn.
    if (greeting.agent === 'new' || agent.link === 'plain') onTurnLost();
    if (greeting.agent === 'silent') return asks.endGreeting();
    const isNew = greeting.agent === 'new';
    const pending = (isNew ? [] : greeting.pending).flatMap((message) => askOf(message) ?? []);
    const asked = pending.filter((ask) => {
      const problem = problemOfAsk(ask);
      if (problem) listener.refuse(ask.requestId, problem);
      return !problem;
    });
    await asks.reconcile(asked, openBefore, isNew ? 'expired' : 'withdrawn').catch(onTrouble);
  };
}

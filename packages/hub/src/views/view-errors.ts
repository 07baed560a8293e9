import { SignalboxError } from '@signalbox/protocol';
import type { SessionView } from '@signalbox/protocol/hub';

/** An agent is to be told something that runs in a terminal, or is on its way there. */
export class AgentInTerminalError extends SignalboxError {
  constructor(session: string, view: SessionView) {
    const where = view === 'to-terminal' ? 'is on its way to a terminal' : 'runs in a terminal';
    super(
      'AGENT_IN_TERMINAL',
      `The agent of session ${session} ${where}. Type there, or bring it back first: “Back” in the console, or POST /api/sessions/${session}/view with {"view": "sdk"}.`,
    );
  }
}

/** A conversation is to go on where it goes on already, or is on its way to. */
export class ViewUnchangedError extends SignalboxError {
  constructor(session: string, view: SessionView) {
    super('VIEW_UNCHANGED', `The agent of session ${session} ${WHERE[view]}. Nothing was changed.`);
  }
}

const WHERE: Readonly<Record<SessionView, string>> = {
  sdk: 'is not in a terminal',
  'to-terminal': 'is on its way to a terminal: somebody has asked for it before',
  terminal: 'runs in a terminal already',
  'to-sdk': 'is on its way back from its terminal: somebody has asked for it before',
  'terminal-only': 'has nothing but its own screen',
};

/** An agent of which nobody knows how it goes on in another view. */
export class ViewUnknownError extends SignalboxError {
  constructor(session: string, why: string) {
    super('VIEW_UNKNOWN', `The agent of session ${session} cannot go on in a terminal: ${why}`);
  }
}

/** The transcript of a conversation is not there: an agent that was told to go on with it would know nothing. */
export class TranscriptNotFoundError extends SignalboxError {
  constructor(conversation: string) {
    super(
      'TRANSCRIPT_NOT_FOUND',
      `The transcript of conversation ${conversation} is not on the hub's machine, or cannot be read: in a terminal the agent would know nothing of what was said. It was left as it is.`,
    );
  }
}

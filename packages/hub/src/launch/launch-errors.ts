import { SignalboxError } from '@signalbox/protocol';
import { machineOf } from '../base/machine-of.ts';

/** An agent is to be launched that is not on this machine. */
export class AgentNotFoundError extends SignalboxError {
  constructor(agent: string, why: string) {
    super('AGENT_NOT_FOUND', `${agent} cannot be launched here: ${why}`);
  }
}

/** The agent of a session was launched by another node, on another machine perhaps. */
export class LaunchElsewhereError extends SignalboxError {
  constructor(session: string, node: string) {
    super(
      'LAUNCH_ELSEWHERE',
      `The agent of session ${session} runs on another machine, ${machineOf(node)}, with its folder and its files (it was launched by the node ${node}). What it says arrives here and can be answered; everything else about it can be done there, or when that node leads.`,
    );
  }
}

/** An agent that has nothing but its own screen is asked for what only messages can do. */
export class TerminalOnlyError extends SignalboxError {
  constructor(agent: string, cannot: string) {
    super('AGENT_TERMINAL_ONLY', `${agent} has nothing but its own screen: ${cannot}. Type in its terminal.`);
  }
}

/** An agent is to work in a folder that is none. */
export class FolderNotFoundError extends SignalboxError {
  constructor(folder: string, advice: string) {
    super('FOLDER_NOT_FOUND', `${folder} is no folder of the hub's machine. ${advice}`);
  }
}

/** An agent ended, or could not be run, before it had answered. Its session stays, with how it ended. */
export class AgentNotStartedError extends SignalboxError {
  readonly session: string;

  constructor(session: string, words: string) {
    super(
      'AGENT_NOT_STARTED',
      `The agent of session ${session} did not start. Its last words: ${words.trim() || 'none'}`,
    );
    this.session = session;
  }
}

/** An agent was told to end, and has not within the time that it may take. */
export class AgentNotStoppedError extends SignalboxError {
  constructor(session: string, patienceMs: number, words: string) {
    super(
      'AGENT_NOT_STOPPED',
      `The agent of session ${session} has not been heard to end within ${patienceMs / 1000} s. Try again, or end it on its machine. The last words of its bridge: ${words.trim() || 'none'}`,
    );
  }
}

/** A session is to be launched again that this hub did not launch. */
export class NotLaunchedError extends SignalboxError {
  constructor(session: string) {
    super(
      'SESSION_NOT_LAUNCHED',
      `This hub did not launch the agent of session ${session}. Start it again where it ran, or launch a new session.`,
    );
  }
}

/** A session is to be gone on with in which no agent has said anything. */
export class NothingToResumeError extends SignalboxError {
  constructor(session: string) {
    super(
      'NOTHING_TO_RESUME',
      `There is nothing to go on with in ${session}: name a session of the hub that had a prompt, or the uuid of an agent's own.`,
    );
  }
}

/** A conversation is to be gone back in to a place where nobody said anything to its agent. */
export class NotAPromptError extends SignalboxError {
  constructor(session: string, seq: number) {
    super(
      'NOT_A_PROMPT',
      `Entry ${seq} of session ${session} is no prompt of a person: name the number of one that is.`,
    );
  }
}

/** A conversation is to be forked after something that is no reply of its agent. */
export class NotAReplyError extends SignalboxError {
  constructor(session: string, seq: number) {
    super(
      'NOT_A_REPLY',
      `Entry ${seq} of session ${session} is no reply of its agent: name the number of one that is.`,
    );
  }
}

/** A conversation is to be gone on with that an agent has open: two would write to one transcript. */
export class ConversationInUseError extends SignalboxError {
  constructor(id: string, where: string) {
    super(
      'CONVERSATION_IN_USE',
      `The conversation ${id} is open in ${where}. End it there first, or go on with a copy of it (fork).`,
    );
  }
}

/** The agent of a session is being launched already. */
export class LaunchUnderWayError extends SignalboxError {
  constructor(session: string) {
    super(
      'LAUNCH_UNDER_WAY',
      `The agent of session ${session} is being launched already. Wait for it, or stop it.`,
    );
  }
}

import type { Transport } from '@signalbox/transport';
import type { AgentOptions } from '../command-line/agent-options.ts';
import { listSessions, type SessionInfo } from '../session/list-sessions.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { trustProject } from '../settings/trust.ts';
import { startContext } from '../start/start-context.ts';

/** A person who drives an agent of the same process. */
export interface Person {
  readonly transport: Transport;
  /** Fires when they go: what is being done for them ends. */
  readonly leaves: AbortSignal;
}

/** What a chat can do with the agent it was made for. */
export interface ChatAgent {
  readonly cwd: string;
  /** Where the person keeps what outlives a session. */
  readonly configDir: string;
  readonly initialPrompt: string | undefined;
  /** Whether the person wants to choose a session to go on with. */
  readonly wantsToChoose: boolean;
  /** What the project would like to switch on and may not, until the person trusts it. */
  readonly withheld: readonly string[];
  trust(): Promise<void>;
  sessions(): Promise<SessionInfo[]>;
  /** Run the agent for a person; settles when it has ended. */
  start(person: Person, resume?: string): Promise<number>;
}

/** A person's way to talk to an agent. Returns the exit code. */
export type Chat = (agent: ChatAgent) => Promise<number>;

/** The agent that a command line asks for. */
export function chatAgent(
  options: AgentOptions,
  run: (options: AgentOptions, person: Person) => Promise<number>,
): ChatAgent {
  const context = startContext('cli');
  const { cwd, configDir, sessionPaths, env } = context;
  // Problems are told when the agent starts.
  const { withheld } = loadSettings({ ...context, options, onProblem: () => {} });
  const { session, prompt } = options;
  return {
    cwd,
    configDir,
    initialPrompt: prompt,
    wantsToChoose: session.kind === 'resume' && session.target === '',
    withheld,
    trust: async () => {
      await trustProject(cwd, { home: context.home, env });
    },
    sessions: () => listSessions(sessionPaths, { limit: 200 }),
    start: (person, resume) => run(drivenByPerson(options, resume), person),
  };
}

/** What a chat asks of its agent, as any other host would. */
function drivenByPerson(options: AgentOptions, resume: string | undefined): AgentOptions {
  const { session, asks } = options;
  return {
    ...options,
    session: resume !== undefined && session.kind === 'resume' ? { ...session, target: resume } : session,
    inputFormat: 'stream-json',
    outputFormat: 'stream-json',
    includePartialMessages: true,
    asks: asks === 'nobody' ? 'host' : asks,
  };
}

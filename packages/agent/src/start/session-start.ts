import { UsageError } from '../base/agent-errors.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { SessionStart } from '../session/open-session.ts';
import { fetchRemoteSession, remoteToken } from '../session/remote-session.ts';
import { parseResumeTarget, teleportUrl } from '../session/resume-target.ts';
import type { StartContext } from './start-context.ts';

/** How the session that was chosen begins. A session that is elsewhere is fetched first. */
export async function sessionStart(options: AgentOptions, context: StartContext): Promise<SessionStart> {
  const { sessionPaths, env, onProblem } = context;
  const { session: choice, keepsTranscript } = options;
  const common = {
    sessionPaths,
    isPersistent: keepsTranscript,
    onProblem: ({ message }: { message: string }) => onProblem(message),
  };
  const fetched = (url: string) => fetchRemoteSession(url, { sessionPaths, token: remoteToken(env) });
  switch (choice.kind) {
    case 'new':
      return { ...common, sessionId: choice.id };
    case 'continue':
      return { ...common, sessionId: choice.newId, resume: 'newest', fork: choice.fork };
    case 'teleport':
      return {
        ...common,
        sessionId: choice.newId,
        resume: await fetched(teleportUrl(choice.target, env)),
        fork: choice.fork,
      };
    case 'resume': {
      const target = parseResumeTarget(choice.target);
      if (target.kind === 'url' && /^wss?:/.test(target.url)) {
        throw new UsageError(
          '--resume fetches a transcript by http or https; to be driven by a host at a WebSocket use --sdk-url.',
        );
      }
      const resume = target.kind === 'url' ? await fetched(target.url) : target;
      const { at: resumeAt, dropsTurn, fork, newId: sessionId } = choice;
      return { ...common, sessionId, resume, resumeAt, dropsTurn, fork };
    }
  }
}

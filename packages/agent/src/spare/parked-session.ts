import type { Output } from '../base/host.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { AgentSession } from '../conversation/agent-session.ts';
import { PromptLifecycle } from '../conversation/prompt-lifecycle.ts';
import { listeningHost } from '../io/listening-host.ts';
import { findSession, openSession } from '../session/open-session.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import { liveSettings } from '../start/live-settings.ts';
import { sessionStart } from '../start/session-start.ts';
import type { StartContext } from '../start/start-context.ts';
import { startSession } from '../start/start-session.ts';

/** A session of the folder where a spare agent waits: hosts are shown what it has. It writes nothing and starts no servers. */
export async function parkedSession(
  options: AgentOptions,
  context: StartContext,
  output: Output,
): Promise<{ session: AgentSession; settings: LiveSettings }> {
  // Variables that its settings set are none of the session to come.
  const parked = { ...context, env: { ...context.env } };
  const settings = liveSettings(options, parked);
  Object.assign(parked.env, settings.current.env);
  const start = { ...(await sessionStart(options, parked)), isPersistent: false };
  const openAnew = async () => openSession(await findSession(start));
  const opened = await openAnew();
  const state = { id: opened.sessionId, log: opened.log, cwd: parked.cwd };
  const session = await startSession({
    options,
    context: parked,
    settings: settings.current,
    opened,
    openAnew,
    state,
    host: listeningHost(output),
    lifecycle: new PromptLifecycle(output, state),
    queuedPrompts: () => 0,
    onNews: () => {},
  });
  return { session, settings };
}

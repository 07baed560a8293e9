import { createStdioTransport } from '@signalbox/transport/stdio';
import { UsageError } from './base/agent-errors.ts';
import type { Host } from './base/host.ts';
import type { AgentOptions } from './command-line/agent-options.ts';
import { PromptLifecycle } from './conversation/prompt-lifecycle.ts';
import { stopOnSignal } from './io/stop-on-signal.ts';
import { LineTransport } from './serve/line-transport.ts';
import { toolServer } from './serve/tool-server.ts';
import { findSession, openSession } from './session/open-session.ts';
import { loadSettings } from './settings/load-settings.ts';
import { startContext } from './start/start-context.ts';
import { startSession } from './start/start-session.ts';

/** Serve the tools of the agent to an MCP client on stdio, until the client leaves. */
export async function runMcpServer(options: AgentOptions): Promise<number> {
  const context = startContext('mcp');
  const { env, sessionPaths, onProblem } = context;
  const settings = loadSettings({ ...context, options, onProblem });
  Object.assign(env, settings.env);
  const openAnew = async () =>
    openSession(
      await findSession({
        sessionPaths,
        sessionId: crypto.randomUUID(),
        isPersistent: false,
        onProblem: ({ message }) => onProblem(message),
      }),
    );
  const opened = await openAnew();
  const host = clientAsHost(settings.mayBypass);
  const state = { id: opened.sessionId, log: opened.log, cwd: context.cwd };
  const session = await startSession({
    // No servers of its own: one of them might be this very command.
    options: { ...options, asks: 'host', mcpConfig: [], strictMcpConfig: true },
    context,
    settings,
    opened,
    openAnew,
    state,
    host,
    lifecycle: new PromptLifecycle(host, state),
    queuedPrompts: () => 0,
    onNews: () => {},
  });
  stopOnSignal(session);
  const transport = new LineTransport(createStdioTransport());
  const server = toolServer(session);
  Object.assign(server, { onerror: ({ message }: Error) => onProblem(`signalbox-agent: ${message}`) });
  try {
    await server.connect(transport);
    await transport.ended;
  } finally {
    await server.close();
    await session.close();
  }
  return 0;
}

/**
 * A client calls a tool when its person wants that: it is not asked once more. What a rule has asked about, or everything
 * where a policy forbids to go without questions, is refused: the client cannot be asked in words of ours.
 */
function clientAsHost(mayBypass: boolean): Host {
  return {
    answers: true,
    lost: new AbortController().signal,
    write: () => Promise.resolve(),
    finish: () => Promise.resolve(),
    request: () => Promise.reject(new UsageError('An MCP client answers no questions.')),
    ask: ({ decision_reason, decision_reason_type: type }) =>
      Promise.resolve(
        mayBypass && type !== 'rule' && type !== 'hook'
          ? { behavior: 'allow' }
          : {
              behavior: 'deny',
              message: `${decision_reason ?? 'It is asked about'}, and nobody can be asked.`,
            },
      ),
  };
}

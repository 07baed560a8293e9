import { messageOf } from '@signalbox/protocol';
import { AGENT_VERSION, PROTOCOL_VERSION } from '../base/version.ts';
import type { StartContext } from '../start/start-context.ts';
import { hasRipgrep } from '../tools/search/ripgrep.ts';
import { credentials } from './auth-status.ts';
import { configured } from './mcp-show.ts';
import { subArguments } from './sub-arguments.ts';
import type { SubcommandEnd } from './subcommand-end.ts';

/** `doctor`: what the agent stands on. The exit code is 1 when it could not start a session. */
export async function doctor(argv: readonly string[], context: StartContext): Promise<SubcommandEnd> {
  subArguments(argv, {});
  const problems: string[] = [];
  const orProblem = (read: () => string): string => {
    try {
      return read();
    } catch (error) {
      problems.push(messageOf(error));
      return 'not usable, see below';
    }
  };
  const search = (await hasRipgrep(context.env)) ? 'OK (ripgrep)' : 'slower without ripgrep: install it';
  const lines = [
    'signalbox-agent doctor',
    '',
    `Running: ${AGENT_VERSION} (speaks the protocol of ${PROTOCOL_VERSION})`,
    `Platform: ${process.platform}-${process.arch}, Node ${process.versions.node}`,
    `Path: ${process.argv[1] ?? ''}`,
    `Configuration: ${context.configDir}`,
    `Search: ${search}`,
    `Credentials: ${orProblem(() => credentialWords(context))}`,
    `MCP servers: ${orProblem(() => String(configured(context).length))}`,
    '',
    problems.length === 0 ? 'No installation issues found.' : problems.map((text) => `✘ ${text}`).join('\n'),
    'For the hub and its agents, run signalbox doctor.',
  ];
  return { text: `${lines.join('\n')}\n`, code: problems.length === 0 ? 0 : 1 };
}

function credentialWords(context: StartContext): string {
  const { authMethod } = credentials(context);
  return authMethod === 'none' ? 'none: set ANTHROPIC_API_KEY' : authMethod;
}

import { join } from 'node:path';
import { UsageError } from '../base/agent-errors.ts';
import { readCommandLine } from '../command-line/agent-options.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { StartContext } from '../start/start-context.ts';
import { subArguments } from './sub-arguments.ts';
import type { SubcommandEnd } from './subcommand-end.ts';

/** How the agent would prove to the API who asks. */
interface Credentials {
  readonly authMethod: 'none' | 'api_key' | 'api_key_helper' | 'oauth_token';
  readonly apiKeySource?: string;
}

/** `auth status [--json|--text]`. Gives what is printed and the exit code: 1 where there are no credentials. */
export function authStatus(argv: readonly string[], context: StartContext): SubcommandEnd {
  const { options } = subArguments(argv, {
    '--json': { name: 'json', takes: 'nothing' },
    '--text': { name: 'text', takes: 'nothing' },
  });
  const found = credentials(context);
  const code = found.authMethod === 'none' ? 1 : 0;
  if (options.has('text')) return { text: `${inWords(found)}\n`, code };
  const status = {
    loggedIn: code === 0,
    authMethod: found.authMethod,
    apiProvider: 'firstParty',
    projectsDirectory: join(context.configDir, 'projects'),
    configDirectory: context.configDir,
    loginExpiresAt: null,
    ...(found.apiKeySource === undefined ? {} : { apiKeySource: found.apiKeySource }),
  };
  return { text: `${JSON.stringify(status, null, 2)}\n`, code };
}

/** The other commands of `auth` sign a person in, which this agent does not. */
export function refuseSignIn(command: string): never {
  throw new UsageError(
    `auth ${command}: this agent has no sign-in. Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or "apiKeyHelper" in the settings.`,
  );
}

/** What the agent would use, the strongest first. */
export function credentials(context: StartContext): Credentials {
  const settings = loadSettings({ ...context, options: readCommandLine(['-p']), onProblem: () => {} });
  const env = { ...context.env, ...settings.env };
  if (env.ANTHROPIC_API_KEY) return { authMethod: 'api_key', apiKeySource: 'ANTHROPIC_API_KEY' };
  if (env.ANTHROPIC_AUTH_TOKEN) return { authMethod: 'oauth_token' };
  if (settings.apiKeyHelper !== undefined)
    return { authMethod: 'api_key_helper', apiKeySource: 'apiKeyHelper' };
  return { authMethod: 'none' };
}

function inWords({ authMethod, apiKeySource }: Credentials): string {
  if (authMethod === 'none') return 'Not logged in. Set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN.';
  return apiKeySource === undefined ? 'Auth token: ANTHROPIC_AUTH_TOKEN' : `API key: ${apiKeySource}`;
}

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AGENT_VERSION, hasRipgrep, probeBubblewrap } from '@signalbox/agent';
import { messageOf } from '@signalbox/protocol';
import { localAgents } from '../local-agents.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The oldest Node that is tested. */
const OLDEST_NODE = [20, 19] as const;

/** What holds the right to use a model. Their values are never shown. */
const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  const says = `${version}, with signalbox ${AGENT_VERSION}`;
  return isOld ? fail('Node', says, `Install Node ${OLDEST_NODE.join('.')} or later`) : ok('Node', says);
}

export async function checkAgents(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const program = [process.execPath, process.argv[1] ?? ''];
  return Promise.all(
    localAgents(program, env).map(async ({ name, title, path, why, version }) => {
      if (path === null) return warn(name, 'not found', why ?? `Install ${title}`);
      const said = await version();
      if (said === null) return warn(name, `${path} does not tell its version`, `Run ${path} --version`);
      return ok(name, `${said}, ${path}`);
    }),
  );
}

export function checkKey(env: NodeJS.ProcessEnv): Finding {
  const name = 'model access';
  const key = KEYS.find((variable) => env[variable]);
  if (key !== undefined) return ok(name, `${key} is set`);
  const config = env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), '.claude');
  if (existsSync(join(config, '.credentials.json'))) return ok(name, 'claude is signed in');
  return warn(
    name,
    'no key is set',
    'Set ANTHROPIC_API_KEY, or sign in with claude; --agent scripted needs none',
  );
}

export async function checkRipgrep(env: NodeJS.ProcessEnv): Promise<Finding> {
  if (await hasRipgrep(env)) return ok('ripgrep', 'found');
  return warn('ripgrep', 'not found', 'Install ripgrep: searches are much faster with it');
}

export async function checkSandbox(env: NodeJS.ProcessEnv): Promise<Finding> {
  try {
    await probeBubblewrap(env);
    return ok('sandbox', 'bubblewrap works');
  } catch (error) {
    return warn(
      'sandbox',
      messageOf(error),
      'Commands run without a sandbox until then, as far as rules allow them',
    );
  }
}

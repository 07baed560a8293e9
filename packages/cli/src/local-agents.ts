import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AGENT_VERSION } from '@signalbox/agent/version';
import type { LocalAgent } from '@signalbox/hub';
import { SCRIPTED_AGENT } from '@signalbox/protocol/hub';
import { isFile, placesOfClaude } from '@signalbox/transport/stdio';
import { type AgentDefinition, definedAgent } from './up/agent-definitions.ts';

/** Names the `claude` to run, where several are there or none is found. */
export const CLAUDE_VARIABLE = 'SIGNALBOX_CLAUDE';

/** How long a program may take to say its version. */
const VERSION_TIMEOUT_MS = 10_000;

/** Beside our own bundle or above its parts, or in the build folder of the sources. */
const OWN_AGENT = ['./signalbox-agent.js', '../signalbox-agent.js', '../../../dist/signalbox-agent.js'];

/** The agents that come with Signalbox. */
const OURS: readonly string[] = ['signalbox-agent', 'scripted'];

/** What plays on the built-in model when a person talks to it. */
const SCENARIO = 'welcome';

/**
 * The agents that a hub on this machine can launch, first of all what people get who name none; `program` is how to run
 * `signalbox` once more.
 */
export function localAgents(
  program: readonly string[],
  env: NodeJS.ProcessEnv,
  definitions: readonly AgentDefinition[] = [],
): LocalAgent[] {
  const own = ownAgent();
  const ownCommand = own === undefined ? null : [process.execPath, own];
  const ours = {
    path: own ?? null,
    why: own === undefined ? 'signalbox-agent.js is not beside signalbox. Install Signalbox again.' : null,
    version: () => Promise.resolve(AGENT_VERSION),
  };
  const agent = { name: 'signalbox-agent', title: 'signalbox-agent', command: ownCommand, ...ours } as const;
  const scripted = {
    name: 'scripted',
    title: SCRIPTED_AGENT,
    command: ownCommand && [...program, 'model', '--script', SCENARIO, '--', ...ownCommand],
    ...ours,
  } as const;
  // Without a key our own agent has no model to ask.
  return [
    claude(env),
    ...(hasKey(env) ? [agent, scripted] : [scripted, agent]),
    ...definitions.map((definition) => definedAgent(definition, env)),
  ];
}

/** Where our own agent is; undefined when it is not beside this program. */
export function ownAgent(): string | undefined {
  return OWN_AGENT.map((path) => fileURLToPath(new URL(path, import.meta.url))).find(isFile);
}

/** Whether an agent here could reach a real model: nobody with one, or with an agent of their own, needs to be shown the scripted. */
export function hasModel(agents: readonly LocalAgent[], env: NodeJS.ProcessEnv): boolean {
  const isOneHere = agents.some(({ name, command }) => !OURS.includes(name) && command !== null);
  return isOneHere || hasKey(env);
}

function hasKey({ ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN }: NodeJS.ProcessEnv): boolean {
  return Boolean(ANTHROPIC_API_KEY || ANTHROPIC_AUTH_TOKEN);
}

function claude(env: NodeJS.ProcessEnv): LocalAgent {
  const asked = env[CLAUDE_VARIABLE];
  const path = (asked ? [asked] : placesOfClaude(env)).find(isFile) ?? null;
  const missing = asked
    ? `${CLAUDE_VARIABLE} names ${asked}, which is not there.`
    : `no claude is in PATH. npm install -g @anthropic-ai/claude-code installs it; ${CLAUDE_VARIABLE} names one elsewhere.`;
  const command = path === null ? null : commandOf(path);
  const version = async (): Promise<string | null> =>
    path === null || command === null ? null : knownVersion(path, command);
  return { name: 'claude', title: 'claude', command, path, why: path === null ? missing : null, version };
}

/** A script without a right to be run is run by Node. */
function commandOf(path: string): string[] {
  return /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path];
}

/** What programs said of their version, by what they were run as and the state of their file then. */
const versions = new Map<string, { file: string; version: Promise<string | null> }>();

/** Asked once of each program, until its file changes: everybody who may watch a hub may ask for it. */
function knownVersion(path: string, command: readonly string[]): Promise<string | null> {
  const { mtimeMs, size, ino } = statSync(path);
  const file = `${mtimeMs} ${size} ${ino}`;
  const known = versions.get(path);
  if (known?.file === file) return known.version;
  const version = versionOf(command);
  versions.set(path, { file, version });
  return version;
}

async function versionOf([program = '', ...words]: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, [...words, '--version'], {
      timeout: VERSION_TIMEOUT_MS,
    });
    return /\d+\.\d+\.\S+/.exec(stdout)?.[0] ?? null;
  } catch {
    // It is there and cannot say: whoever launches it learns why.
    return null;
  }
}

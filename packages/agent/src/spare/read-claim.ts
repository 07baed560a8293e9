import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  ControlRefusal,
  isPermissionMode,
  type JsonObject,
  messageOf,
  type PermissionMode,
  parseHostMessage,
} from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { isFolder } from '../base/is-folder.ts';
import { AGENT_MODES } from '../base/permission-modes.ts';

/** What a host says about the session that a spare agent is to be. */
export interface Claim {
  /** The folder, without links. */
  readonly cwd: string;
  readonly permissionMode: PermissionMode | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Those that are there. */
  readonly additionalDirectories: readonly string[];
  readonly appendSystemPrompt: string | undefined;
  readonly title: string | undefined;
  readonly agents: JsonObject;
  /** All of the host's servers; undefined leaves it at those that `initialize` named. */
  readonly sdkMcpServers: readonly string[] | undefined;
  readonly includesOffer: boolean;
}

/** The variables that a claim may set: all others are read at the start. */
const CLAIMABLE_VARIABLES = [
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_SESSION_ACCESS_TOKEN',
  'CLAUDE_CODE_HOST_SESSION_ID',
];

/** Read a claim. Paths are meant from `parked`. Throws `ControlRefusal` that begins with a word for programs. */
export async function readClaim(request: JsonObject, parked: { cwd: string; home: string }): Promise<Claim> {
  const said = claimRequest(request);
  const env = said.env ?? {};
  for (const name of Object.keys(env)) {
    if (!CLAIMABLE_VARIABLES.includes(name))
      refuse(
        'env_key_not_claimable',
        `${name} is read during start-up; pass it in the spare's spawn env instead`,
      );
  }
  const cwd = await claimedFolder(said.cwd, parked);
  const title = said.title?.trim();
  return {
    cwd,
    permissionMode: claimedMode(said.permission_mode ?? undefined),
    env,
    additionalDirectories: await thoseThatExist(
      (said.additional_directories ?? []).map((path) => resolve(cwd, path)),
    ),
    appendSystemPrompt: said.append_system_prompt ?? undefined,
    title: title === '' ? undefined : title,
    agents: said.agents ?? {},
    sdkMcpServers: said.sdk_mcp_servers ?? undefined,
    includesOffer: said.include_initialize ?? false,
  };
}

/** Refuse a claim, in the form that hosts know. */
export function refuse(word: string, reason: string): never {
  throw new ControlRefusal(`${word}: ${reason}`);
}

function claimRequest(request: JsonObject) {
  try {
    const message = parseHostMessage({ type: 'control_request', request_id: '', request });
    if (message.type === 'control_request' && message.request.subtype === 'claim_session')
      return message.request;
  } catch (error) {
    refuse('invalid_request', messageOf(error));
  }
  return refuse('invalid_request', 'it is no claim');
}

function claimedMode(mode: string | undefined): PermissionMode | undefined {
  if (mode === undefined || isPermissionMode(mode)) return mode;
  const known = AGENT_MODES.join(', ');
  return refuse('permission_mode_not_claimable', `Cannot set permission mode: must be one of ${known}`);
}

async function claimedFolder(path: string, { cwd, home }: { cwd: string; home: string }): Promise<string> {
  if (path === '') refuse('invalid_request', 'cwd — must be a non-empty string');
  const folder = path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(cwd, path);
  const allows = (mode: number): Promise<boolean> =>
    access(folder, mode).then(
      () => true,
      () => false,
    );
  if (await isFolder(folder)) {
    if (await allows(constants.R_OK | constants.X_OK)) return realPath(folder);
  } else if (await allows(constants.F_OK)) {
    refuse('cwd_not_a_directory', 'the claim cwd is not a directory');
  }
  return refuse('cwd_not_found', 'the claim cwd does not exist or is not accessible');
}

async function thoseThatExist(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map(isFolder));
  return folders.filter((_, at) => found[at]);
}

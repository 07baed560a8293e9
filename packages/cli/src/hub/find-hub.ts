import {
  assertMayGo,
  HubOutdatedError,
  hubSocketPath,
  isOwnHub,
  ownToken,
  readHubFile,
  SOCKET_ORIGIN,
  signalboxHome,
  TokenWithheldError,
  tokenReader,
} from '@signalbox/hub/bridge';
import { SignalboxError } from '@signalbox/protocol';
import { type HubAddress, HubApi } from 'signalbox/hub';
import { commandHere } from '../own-command.ts';
import { isHolderRunning } from './hub-process.ts';
import { socketFetch } from './socket-fetch.ts';

/** How long the hub may take to say that it is there. */
const PROBE_MS = 10_000;

/** What every command takes that talks to a hub. */
export const HUB_OPTIONS = { hub: { type: 'string' }, 'token-file': { type: 'string' } } as const;

export const HUB_HELP = `  --hub URL          the hub to use (or SIGNALBOX_HUB; default: the one on this machine)
  --token-file FILE  a file with its token (or SIGNALBOX_TOKEN_FILE; or the token itself in
                     SIGNALBOX_TOKEN)`;

/** No hub was named, and none runs on this machine. */
export class HubNotFoundError extends SignalboxError {
  constructor(home: string) {
    super(
      'HUB_NOT_FOUND',
      `No hub runs here that knows the token of ${home}. Start one with ${commandHere('up')}, or name one with --hub URL.`,
    );
  }
}

/** A hub that can be called. */
export interface FoundHub {
  /** Where it listens. */
  url: string;
  token: string | undefined;
  /** Where the hub of this machine has its socket. It is not called at its URL: that may be anybody's. */
  home?: string;
}

/** The hub that is named, or the one of this machine. Raises `HUB_NOT_FOUND`, `HUB_OUTDATED` or `TOKEN_WITHHELD`. */
export async function findHub(
  named: { hub?: string | undefined; 'token-file'?: string | undefined },
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundHub> {
  const home = signalboxHome(env);
  const given = tokenReader(env, named['token-file'])();
  const own = ownToken(home);
  const url = (named.hub ?? env.SIGNALBOX_HUB)?.replace(/^ws/, 'http');
  const found = url === undefined || isOwnHub(home, url) ? await localHub(home, given ?? own) : undefined;
  if (found) return found;
  // The hub of this home may be gone, and another one be reached at its address now, for example by a tunnel.
  const isOwn = url === undefined || ((given ?? own) === own && isOwnHub(home, url));
  if (!isOwn) {
    assertMayGo(home, url, given);
    if (given === undefined && own !== undefined) throw new TokenWithheldError(home, url);
    return { url, token: given };
  }
  const file = readHubFile(home);
  throw file && file.socket === undefined && isHolderRunning(home)
    ? new HubOutdatedError(home)
    : new HubNotFoundError(home);
}

/** The hub of this home, when one runs and knows the token. */
export async function localHub(home: string, token = ownToken(home)): Promise<FoundHub | undefined> {
  const { url, dial = url, socket } = readHubFile(home) ?? {};
  if (token === undefined || dial === undefined || socket === undefined) return undefined;
  const hub = { url: dial.replace(/^ws/, 'http'), token, home };
  return (await isGood(hub)) ? hub : undefined;
}

/** Who to call, and how. */
export function addressOf({ url, token, home }: FoundHub): HubAddress {
  return {
    url: home !== undefined ? SOCKET_ORIGIN.replace('ws', 'http') : url,
    ...(token === undefined ? {} : { token }),
    ...(home === undefined ? {} : { fetch: socketFetch(() => hubSocketPath(home)) }),
  };
}

function isGood(hub: FoundHub): Promise<boolean> {
  return new HubApi(addressOf(hub), { answerMs: PROBE_MS }).me().then(
    () => true,
    () => false,
  );
}

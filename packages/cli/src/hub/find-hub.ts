import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHubFile, signalboxHome, tokenReader } from '@signalbox/hub/bridge';
import { SignalboxError } from '@signalbox/protocol';
import { type HubAddress, HubApi } from 'signalbox/hub';
import { FIRST_PORT, LAST_PORT } from '../hub-ports.ts';
import { fetchTrusting } from './trusting-fetch.ts';

/** How long a place may take to say whether it is the hub. */
const PROBE_MS = 10_000;

/** What every command takes that talks to a hub. */
export const HUB_OPTIONS = { hub: { type: 'string' }, 'token-file': { type: 'string' } } as const;

export const HUB_HELP = `  --hub URL          which hub; the one of this machine unless given (or SIGNALBOX_HUB)
  --token-file FILE  where its token is (or SIGNALBOX_TOKEN_FILE; or the token itself in
                     SIGNALBOX_TOKEN)`;

/** No hub was named, and none runs on this machine. */
export class HubNotFoundError extends SignalboxError {
  constructor(home: string) {
    super(
      'HUB_NOT_FOUND',
      `No hub runs here that knows the token of ${home}. Start one with signalbox up, or name one with --hub URL.`,
    );
  }
}

/** A hub that can be called. */
export interface FoundHub {
  url: string;
  token: string | undefined;
  /** What it shows, as PEM, when it is to be trusted by that alone. */
  certificate?: string | undefined;
}

/** The hub that is named, or the one of this machine. Raises `HUB_NOT_FOUND`. */
export async function findHub(
  named: { hub?: string | undefined; 'token-file'?: string | undefined },
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundHub> {
  const home = signalboxHome(env);
  const token = tokenReader(env, named['token-file'])() ?? tokenIn(home);
  const url = named.hub ?? env.SIGNALBOX_HUB;
  if (url !== undefined) return { url: url.replace(/^ws/, 'http'), token };
  const found = await localHub(home, token);
  if (!found) throw new HubNotFoundError(home);
  return found;
}

/** The hub of this home, when one runs and knows the token. */
export async function localHub(home: string, token = tokenIn(home)): Promise<FoundHub | undefined> {
  // Another person's hub may be at a usual place: it does not know the token.
  for (const place of placesOf(home, token)) if (await isGood(place)) return place;
  return undefined;
}

/** Who to call, and how. */
export function addressOf({ url, token, certificate }: FoundHub): HubAddress {
  return {
    url,
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined ? {} : { fetch: fetchTrusting(certificate) }),
  };
}

function tokenIn(home: string): string | undefined {
  try {
    return readFileSync(join(home, 'token'), 'utf8').trim();
  } catch {
    // No hub was ever started here.
    return undefined;
  }
}

function placesOf(home: string, token: string | undefined): FoundHub[] {
  if (token === undefined) return [];
  const ports = Array.from({ length: LAST_PORT - FIRST_PORT + 1 }, (_, at) => FIRST_PORT + at);
  const usual = ports.map((port) => `http://127.0.0.1:${port}`);
  const { url, dial = url, certificate } = readHubFile(home) ?? {};
  const last = dial?.replace(/^ws/, 'http');
  const others = usual.filter((place) => place !== last).map((place) => ({ url: place, token }));
  return last === undefined ? others : [{ url: last, token, certificate }, ...others];
}

function isGood(place: FoundHub): Promise<boolean> {
  return new HubApi(addressOf(place), { answerMs: PROBE_MS }).me().then(
    () => true,
    () => false,
  );
}

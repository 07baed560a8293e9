import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signalboxHome, tokenReader } from '@signalbox/hub/bridge';
import { SignalboxError } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { hubUrlIn } from '../hub-file.ts';
import { FIRST_PORT, LAST_PORT } from '../hub-ports.ts';

/** What every command takes that talks to a hub. */
export const HUB_OPTIONS = { hub: { type: 'string' }, 'token-file': { type: 'string' } } as const;

export const HUB_HELP = `  --hub URL          which hub; the one of this machine unless given (or SIGNALBOX_HUB)
  --token-file FILE  where its token is (or SIGNALBOX_TOKEN_FILE; or the token in SIGNALBOX_TOKEN)`;

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
  for (const place of placesOf(home)) if (await isGood(place, token)) return { url: place, token };
  throw new HubNotFoundError(home);
}

function tokenIn(home: string): string | undefined {
  try {
    return readFileSync(join(home, 'token'), 'utf8').trim();
  } catch {
    // No hub was ever started here.
    return undefined;
  }
}

function placesOf(home: string): string[] {
  const ports = Array.from({ length: LAST_PORT - FIRST_PORT + 1 }, (_, at) => FIRST_PORT + at);
  const usual = ports.map((port) => `http://127.0.0.1:${port}`);
  const last = hubUrlIn(home);
  return last === undefined ? usual : [last, ...usual.filter((url) => url !== last)];
}

/** Another person's hub may be at a usual place: it does not know the token. */
async function isGood(url: string, token: string | undefined): Promise<boolean> {
  if (token === undefined) return false;
  return new HubApi({ url, token }).me().then(
    () => true,
    () => false,
  );
}

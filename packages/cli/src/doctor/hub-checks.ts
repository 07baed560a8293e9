import { once } from 'node:events';
import { createServer } from 'node:net';
import { byteWords, isJsonObject } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { addressOf, type FoundHub, findHub, HubNotFoundError } from '../hub/find-hub.ts';
import { FIRST_PORT, LAST_PORT } from '../hub-ports.ts';
import { commandHere } from '../own-command.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The hub of this machine, when one runs. */
export async function runningHub(env: NodeJS.ProcessEnv): Promise<FoundHub | undefined> {
  try {
    return await findHub({}, env);
  } catch (error) {
    if (error instanceof HubNotFoundError) return undefined;
    throw error;
  }
}

export async function checkHub(hub: FoundHub | undefined): Promise<Finding> {
  if (!hub) return warn('hub', 'none answers here', `${commandHere('up')} starts one`);
  const description = await new HubApi(addressOf(hub)).ask('GET /api/openapi.json');
  const { info } = isJsonObject(description) ? description : {};
  const version = isJsonObject(info) ? harmless(String(info.version)) : 'unknown';
  return ok('hub', `${hub.url}, API version ${version}`);
}

/** What the data of a hub that runs takes. */
export async function checkStorage(hub: FoundHub | undefined): Promise<Finding[]> {
  if (!hub) return [];
  const { usedBytes, fileBytes, lastSweep } = await new HubApi(addressOf(hub)).ask('GET /api/storage');
  const says = `${byteWords(usedBytes)} in use, ${byteWords(fileBytes)} on the disk`;
  const isTooMuch = lastSweep?.isOverLimit ?? false;
  return [
    isTooMuch
      ? warn(
          'storage',
          `${says}: more than its limit`,
          `${commandHere('storage')} says what is kept for how long`,
        )
      : ok('storage', says),
  ];
}

export async function checkPorts(hub: FoundHub | undefined): Promise<Finding> {
  const range = `${FIRST_PORT} to ${LAST_PORT}`;
  if (hub) return ok('ports', `the hub has ${new URL(hub.url).port}`);
  for (let port = FIRST_PORT; port <= LAST_PORT; port += 1)
    if (await isFree(port)) return ok('ports', `${port} is free`);
  return fail('ports', `none of ${range} is free`, `${commandHere('up --port N')} takes another`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

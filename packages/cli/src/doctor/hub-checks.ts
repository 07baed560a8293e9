import { once } from 'node:events';
import { createServer } from 'node:net';
import { byteWords, isJsonObject } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { addressOf, type FoundHub, findHub, HubNotFoundError } from '../hub/find-hub.ts';
import { FIRST_PORT, LAST_PORT } from '../hub-ports.ts';
import { commandHere } from '../own-command.ts';
import { ageWords } from '../time-words.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** A node tells that it is there every two seconds, and so does the leader that it leads. */
const GONE_MS = 10_000;
const LATE_LEASE_MS = 6000;

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

/** Of several hubs on one database, which leads, and which is gone. */
export async function checkNodes(hub: FoundHub | undefined): Promise<Finding[]> {
  if (!hub) return [];
  const { items, lead, database } = await new HubApi(addressOf(hub)).ask('GET /api/nodes');
  const leader = items.find(({ leads }) => leads);
  if (!lead || !leader || !database) return [];
  const name = 'nodes';
  const others = items.filter(({ leads }) => !leads);
  const [gone] = others.filter(({ seenMsAgo }) => seenMsAgo > GONE_MS);
  const bytes = database.partitions.reduce((sum, partition) => sum + partition.bytes, 0);
  const following = others.filter(({ seenMsAgo }) => seenMsAgo <= GONE_MS).map(({ id }) => id);
  const says = harmless(
    [
      `${leader.id} leads since ${new Date(lead.since).toISOString()}, its lease was renewed ${ageWords(lead.renewedMsAgo)}`,
      following.length === 0
        ? 'no node follows'
        : `${following.join(', ')} follow${following.length === 1 ? 's' : ''}`,
      `${database.connections} connections to the database`,
      `${byteWords(bytes)} were said in ${database.partitions.length} weeks`,
    ].join('; '),
  );
  if (lead.renewedMsAgo > LATE_LEASE_MS)
    return [warn(name, says, 'Look at the database, and at the way there: the lease is renewed too late')];
  if (!gone) return [ok(name, says)];
  const when = ageWords(gone.seenMsAgo);
  return [
    warn(
      name,
      harmless(`${says}; ${gone.id}, on the machine ${gone.machine}, was last heard of ${when}`),
      'Start that hub again: its agents need it. One that stays away is forgotten after a day',
    ),
  ];
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

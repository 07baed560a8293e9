import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CLIConnectionError } from '../sdk-errors.ts';

/** Who a process runs as, as the system counts. */
export interface ProcessIdentity {
  uid?: number;
  gid?: number;
}

/** The ids of a user that is given by name or by id. */
export async function identityOf(user: string | number): Promise<ProcessIdentity> {
  if (typeof user === 'number') return { uid: user };
  const ask = async (which: '-u' | '-g'): Promise<number> =>
    Number((await promisify(execFile)('id', [which, '--', user])).stdout);
  try {
    const [uid, gid] = await Promise.all([ask('-u'), ask('-g')]);
    return { uid, gid };
  } catch (cause) {
    throw new CLIConnectionError(`There is no user ${user} on this machine to run the agent as.`, cause);
  }
}

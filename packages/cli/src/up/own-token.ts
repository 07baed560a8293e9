import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@signalbox/hub';
import { readPlainFile } from '@signalbox/transport/read-plain-file';

/** What it takes to have a token made. */
type OwnDevices = Pick<Store['devices'], 'authenticate' | 'add'>;

/** The file with the token of this machine's own programs: the one that is there, as long as it is good. */
export async function ownTokenFile(devices: OwnDevices, home: string, person: string): Promise<string> {
  const file = join(home, 'token');
  if (await isGood(devices, file)) return file;
  const { token } = await devices.add({ person, name: hostname(), scope: 'admin', session: null });
  // Put in its place whole: a file that was there would keep its mode, and be read before it has another.
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
  return file;
}

async function isGood(devices: OwnDevices, file: string): Promise<boolean> {
  try {
    return (await devices.authenticate(readPlainFile(file).trim())) !== undefined;
  } catch {
    return false;
  }
}

import { build } from '../scripts/build.js';
import { ensureSystemTools } from '../scripts/system-tools.js';
import { buildPrograms } from './programs.ts';

/** Tests run the executables as users get them, beside programs of the system. */
export default async function setup(): Promise<void> {
  ensureSystemTools();
  await build();
  await buildPrograms();
}

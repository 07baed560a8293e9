import { build } from '../scripts/build.js';

/** Tests run the executables as users get them. */
export default async function setup(): Promise<void> {
  await build();
}

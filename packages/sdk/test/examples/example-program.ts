import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { builtExample } from '../../../../test/programs.ts';

/** Where examples are run from. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** What runs an example, as arguments of Node: one as they all say it, the others as files that need no loader. */
export function exampleCommand(name: string): string[] {
  return name === 'hello' ? ['--import', 'tsx', join('examples', `${name}.ts`)] : [builtExample(name)];
}

/** A home that is gone after the test; what an example leaves behind lies in it. */
export async function exampleEnvironment(): Promise<NodeJS.ProcessEnv> {
  const home = await mkdtemp(join(tmpdir(), 'signalbox-examples-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return { PATH: process.env['PATH'], HOME: home, TMPDIR: home };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { TREE_MARK } from './agent-tree.ts';

/** A process of `signalbox` that outlives this one. */
export interface DetachedProgram {
  /** How to run `signalbox`: the program and its first words. */
  program: readonly string[];
  words: readonly string[];
  home: string;
  /** Goes there by its environment: a command line can be read by anybody on the machine. */
  token: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** The file that it writes its complaints to. */
  stderr: number;
}

/** Start it and let go of it: whether it began is told by what it writes. */
export function spawnDetached({ program, words, home, token, env, stderr }: DetachedProgram): ChildProcess {
  const [executable = process.execPath, ...firstWords] = program;
  const child = spawn(executable, [...firstWords, ...words], {
    detached: true,
    stdio: ['ignore', 'ignore', stderr],
    env: {
      ...process.env,
      SIGNALBOX_HOME: home,
      SIGNALBOX_TOKEN: token,
      ...env,
      // One that an agent starts is not of that agent's tree.
      [TREE_MARK]: undefined,
    },
  });
  child.once('error', () => {});
  child.unref();
  return child;
}

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Network } from '../../src/sandbox/egress-proxy.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxPolicy } from '../../src/settings/sandbox-policy.ts';
import { bashTool } from '../../src/tools/bash.ts';
import { openBench, type ToolBench } from '../tools/tool-bench.ts';

export const POLICY: SandboxPolicy = {
  isEnabled: true,
  autoAllows: false,
  mayBeLeft: true,
  excludedCommands: [],
  allowedDomains: [],
  deniedDomains: [],
  allowUnixSockets: [],
  allowWrite: [],
  denyWrite: [],
  allowRead: [],
  denyRead: [],
};

/** A session whose commands are confined. */
export interface SandboxBench extends ToolBench {
  sandbox: Sandbox;
  /** A folder of the machine that has nothing to do with the session, and that no sandbox covers. */
  outside: string;
  /** What a command says, whether it fails or not. */
  sh: (command: string, input?: { dangerouslyDisableSandbox?: boolean; timeout?: number }) => Promise<string>;
}

/** It is closed with the test. */
export async function openSandbox(
  policy: Partial<SandboxPolicy> = {},
  network?: Network,
): Promise<SandboxBench> {
  const bench = await openBench();
  // Folders for temporary files are private to a sandbox: what is tried there proves nothing.
  const outside = await realpath(await mkdtemp('/var/tmp/signalbox-outside-'));
  const { home, env } = bench.session;
  const configDir = join(home, '.claude');
  await mkdir(configDir);
  const sandbox = await Sandbox.open(
    { ...POLICY, ...policy },
    { home, configDir, env, ...(network ? { network } : {}) },
  );
  Object.assign(bench.session, { sandbox });
  onTestFinished(async () => {
    await bench.session.tasks.stopAll();
    await sandbox.close();
    await rm(outside, { recursive: true, force: true });
  });
  return {
    ...bench,
    sandbox,
    outside,
    sh: async (command, input) => {
      const { content } = await bench.run(bashTool, { command, ...input });
      return typeof content === 'string' ? content : '';
    },
  };
}

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const AGENT = fileURLToPath(new URL('../../../../dist/signalbox-agent.js', import.meta.url));

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A person's home with a project in it, where the agent is run as a command. */
export interface CommandHome {
  readonly home: string;
  readonly project: string;
  readonly run: (
    args: readonly string[],
    options?: { cwd?: string; env?: Record<string, string> },
  ) => Promise<Ended>;
}

/** Gone with the test. */
export async function commandHome(): Promise<CommandHome> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-commands-')));
  const project = join(home, 'project');
  await mkdir(project);
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  return {
    home,
    project,
    run: (args, { cwd = project, env = {} } = {}) =>
      new Promise((resolve) => {
        const variables = { PATH: process.env.PATH ?? '', HOME: home, ...env };
        execFile(process.execPath, [AGENT, ...args], { cwd, env: variables }, (error, stdout, stderr) => {
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
        });
      }),
  };
}

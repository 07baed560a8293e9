import { execFile } from 'node:child_process';
import type { Finished } from '../stage.ts';
import type { Scene } from './story.ts';

const SHOWN_BYTES = 8 * 1024 * 1024;

/** Run a command of the story to its end, in the folder and with the environment of the scene. */
export function runToEnd(
  { stage, env }: Scene,
  command: string,
  args: readonly string[],
  { input = '', more = {} }: { input?: string; more?: Record<string, string> } = {},
): Promise<Finished> {
  const options = { cwd: stage.folder, env: { ...env, ...more }, maxBuffer: SHOWN_BYTES };
  return new Promise((resolve) => {
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? 1) : 0;
      resolve({ code, stdout, stderr });
    });
    stage.onLeave(() => Promise.resolve(void child.kill('SIGKILL')));
    child.stdin?.end(input);
  });
}

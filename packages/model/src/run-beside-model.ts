import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { messageOf } from '@signalbox/protocol';
import { ModelUsageError } from './errors.ts';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Run a command that finds its model in the variables given, on this process's own stdio. Settles with its exit code;
 * one that a signal ended counts as a shell counts it. Rejects with `MODEL_USAGE` when it cannot be started.
 */
export function runBesideModel(
  [program = '', ...words]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(program, words, { stdio: 'inherit', env: { ...process.env, ...variables } });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of PASSED_ON) process.on(signal, passOn);
  return new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new ModelUsageError(`cannot run ${program}: ${messageOf(error)}`)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  }).finally(() => {
    for (const signal of PASSED_ON) process.off(signal, passOn);
  });
}

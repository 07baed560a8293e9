import { readHubFile } from '@signalbox/hub/bridge';

/** Who has the data of a home open, as far as that can be told. */
export function holderOf(home: string): string {
  const { pid } = readHubFile(home) ?? {};
  return isHolderRunning(home) ? `A hub that runs (pid ${pid})` : 'Another process';
}

/** Whether the process that was the hub of a home last is there. */
export function isHolderRunning(home: string): boolean {
  const { pid } = readHubFile(home) ?? {};
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

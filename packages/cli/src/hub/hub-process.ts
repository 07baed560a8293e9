import { identityOf, isRunning, readHubFile } from '@signalbox/hub/bridge';

/** Who has the data of a home open, as far as that can be told. */
export function holderOf(home: string): string {
  const { pid } = readHubFile(home) ?? {};
  return isHolderRunning(home) ? `A hub that runs (pid ${pid})` : 'Another process';
}

/** Whether the process that was the hub of a home last runs; one whose parent has not buried it does not. */
export function isHolderRunning(home: string): boolean {
  const { pid } = readHubFile(home) ?? {};
  return pid !== undefined && isRunning(identityOf(pid));
}

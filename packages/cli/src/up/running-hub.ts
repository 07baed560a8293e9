import { readHubFile } from '@signalbox/hub/bridge';
import { SignalboxError } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { addressOf, type FoundHub } from '../hub/find-hub.ts';

/** A hub has the data open, and cannot be reached. */
export class HubBusyError extends SignalboxError {
  constructor(home: string) {
    super('HUB_BUSY', `${holderOf(home)} uses ${home}, and cannot be reached. End it, then try again.`);
  }
}

/** What is said where a hub runs already, with a link for one more browser. */
export async function runningWords(hub: FoundHub, home: string, isSpecial: boolean): Promise<string> {
  const { url = hub.url, pid } = readHubFile(home) ?? {};
  const link = await new HubApi(addressOf(hub)).createSignInLink();
  const advice = isSpecial
    ? '\nIt goes on as it was started; end it first to start it with other options.\n'
    : '';
  return `A hub runs at ${url}${pid === undefined ? '' : ` (pid ${pid})`}

  sign in    ${link.url}
             (once, within 15 minutes)
${advice}`;
}

/** Who has the data of a home open, as far as that can be told. */
export function holderOf(home: string): string {
  const { pid } = readHubFile(home) ?? {};
  return pid !== undefined && isRunning(pid) ? `A hub that runs (pid ${pid})` : 'Another process';
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

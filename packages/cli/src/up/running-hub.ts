import { readHubFile } from '@signalbox/hub/bridge';
import { SignalboxError } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { addressOf, type FoundHub } from '../hub/find-hub.ts';
import { holderOf } from '../hub/hub-process.ts';
import { qrCode } from '../qr-code.ts';
import { fitted, roomOf } from '../wrap-words.ts';
import { fieldNote, linkField } from './field-lines.ts';

/** A hub has the data open, and cannot be reached. */
export class HubBusyError extends SignalboxError {
  constructor(home: string) {
    super('HUB_BUSY', `${holderOf(home)} uses ${home}, and cannot be reached. End it, then try again.`);
  }
}

/** What is said where a hub runs already, with a link for one more browser. */
export async function runningWords(hub: FoundHub, home: string, isSpecial: boolean): Promise<string> {
  const { url = hub.url, pid } = readHubFile(home) ?? {};
  const { href: link } = new URL((await new HubApi(addressOf(hub)).createSignInLink()).url);
  const advice = isSpecial
    ? '\nIt goes on as it was started; end it first to start it with other options.\n'
    : '';
  return `A hub runs at ${url}${pid === undefined ? '' : ` (pid ${pid})`}

${signInFields(link, roomOf(process.stdout))}${fitted(advice, process.stdout)}`;
}

/** How a browser gets in, for words and for cameras. */
export function signInFields(link: string, room: number): string {
  return `${linkField('sign in', link, room)}${fieldNote('(once, within 15 minutes)', room)}${qrCode(link)}`;
}

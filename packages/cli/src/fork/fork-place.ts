import { CommandOptionsError } from '../command-options.ts';
import type { SaidMessage } from './said-messages.ts';

/** Where a fork goes on: before a prompt, or after a reply. */
export type ForkPlace = { before: number } | { after: number };

interface PlaceOptions {
  before?: string | undefined;
  after?: string | undefined;
}

/** Undefined for all of a conversation. Raises `COMMAND_OPTIONS`. */
export function placeIn({ before, after }: PlaceOptions): ForkPlace | undefined {
  if (before !== undefined && after !== undefined)
    throw new CommandOptionsError('fork', '--before or --after, and not both.');
  if (before !== undefined) return { before: numberIn('before', before) };
  return after === undefined ? undefined : { after: numberIn('after', after) };
}

function numberIn(name: string, text: string): number {
  const seq = Number(text);
  if (Number.isSafeInteger(seq) && seq > 0) return seq;
  throw new CommandOptionsError('fork', `--${name} is a number that --list shows, not ${text}.`);
}

/** What a fork knows of a conversation, and what it does not. */
export function dividedAt(
  messages: readonly SaidMessage[],
  place: ForkPlace,
): { kept: SaidMessage[]; leftOut: SaidMessage[] } {
  const isKept = ({ seq }: SaidMessage): boolean =>
    'before' in place ? seq < place.before : seq <= place.after;
  return { kept: messages.filter(isKept), leftOut: messages.filter((one) => !isKept(one)) };
}

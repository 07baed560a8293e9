import { isJsonObject } from '@signalbox/protocol';
import type { EntryMessage, PreviewMessage } from '@signalbox/protocol/hub';
import type { SDKMessage } from '../types/messages.ts';

/** What a record has beside messages: the control protocol, and what the hub notes itself. */
const NO_MESSAGE = /^(?:hub|keep_alive|control_\w+)$/;

/** The message that an entry or a preview carries, as `query` would hand it over; undefined when it carries none. */
export function agentMessage({ message }: EntryMessage | PreviewMessage): SDKMessage | undefined {
  if (!isJsonObject(message)) return undefined;
  if (typeof message.type !== 'string' || NO_MESSAGE.test(message.type)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an agent is taken at its word, as `query` takes it
  return message as unknown as SDKMessage;
}

import { isJsonObject } from '@signalbox/protocol';
import type { SDKMessage } from 'signalbox';
import type { EntryMessage } from 'signalbox/hub';

/** What an agent had cost when its record ended so; one that was started since counts from nothing. */
export function costSoFar(entries: readonly EntryMessage[]): number {
  for (const { message } of entries.toReversed()) {
    if (!isJsonObject(message)) continue;
    if (message.type === 'bridge' && message.subtype === 'exited') return 0;
    if (message.type === 'result' && typeof message.total_cost_usd === 'number')
      return message.total_cost_usd;
  }
  return 0;
}

/** The end of a turn with what this turn has cost: agents tell the sum of all. */
export function pricedAlone(message: SDKMessage, before: number): SDKMessage {
  if (message.type !== 'result' || message.total_cost_usd < before) return message;
  return { ...message, total_cost_usd: message.total_cost_usd - before };
}

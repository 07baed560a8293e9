import type { JsonObject } from '@signalbox/protocol';
import type { SDKMessage } from 'signalbox';

/** The agent's own words: not what it asks, and not what its bridge reports. */
export function isSdkMessage(message: JsonObject): message is JsonObject & SDKMessage {
  const { type } = message;
  return (
    typeof type === 'string' && !type.startsWith('control_') && type !== 'bridge' && type !== 'keep_alive'
  );
}

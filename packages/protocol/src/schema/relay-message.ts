import { flag, type Inbound, literal, type Outbound, object, optional, text } from './wire.ts';

/** What a relay tells its frontends about the agent. */
export const RELAY_STATUS = {
  connected: 'claude code connected',
  alreadyConnected: 'claude code is connected',
  disconnected: 'claude code disconnected',
} as const;

export const relayStatusMessage = object({ type: literal('status'), text, session_id: optional(text) });

/** The short form in which agents-ui answers a permission request. */
export const relayAnswer = object({
  type: literal('control_response'),
  request_id: text,
  permission: object({ allow: flag, message: optional(text) }),
});

/** A relay's own message to its frontends; no agent sends it. */
export type RelayStatusMessage = Outbound<typeof relayStatusMessage>;

/** An answer in the short form that only relays understand. */
export type RelayAnswer = Inbound<typeof relayAnswer>;

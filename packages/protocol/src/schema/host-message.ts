import {
  controlCancelMessage,
  controlResponseMessage,
  hostControlRequestMessage,
} from './control-envelope.ts';
import { keepAliveMessage } from './keep-alive.ts';
import { oneOf } from './one-of.ts';
import { promptMessage } from './user-message.ts';
import { type Inbound, literal, map, type Outbound, object, text } from './wire.ts';

/** What a host says to an agent, by `type`. */
export const hostMessages = {
  user: promptMessage,
  control_request: hostControlRequestMessage,
  control_response: controlResponseMessage,
  control_cancel_request: controlCancelMessage,
  keep_alive: keepAliveMessage,
  update_environment_variables: object({
    type: literal('update_environment_variables'),
    variables: map(text),
  }),
};

export const hostMessage = oneOf('type', hostMessages);

/** Anything a host says to an agent, as received; one with a `type` that we do not know is kept whole. */
export type HostMessage = Inbound<typeof hostMessage>;

/** Anything a host may say to an agent, as sent. */
export type OutboundHostMessage = Outbound<typeof hostMessage>;

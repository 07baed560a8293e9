import { type AgentMessage, agentMessage } from '../schema/agent-message.ts';
import { type BridgeOrder, type BridgeReport, bridgeOrder, bridgeReport } from '../schema/bridge-message.ts';
import { type ControlPayload, type ControlSubtype, controlPayloads } from '../schema/control-payload.ts';
import { type HostMessage, hostMessage } from '../schema/host-message.ts';
import type { Inbound, Wire } from '../schema/wire.ts';
import { findProblem } from './find-problem.ts';
import { MessageParseError } from './message-error.ts';
import { messageLabel } from './message-label.ts';

/** What an agent said. Returns `value` itself, so unknown fields and the order of keys survive. */
export function parseAgentMessage(value: unknown): AgentMessage {
  assertFits(agentMessage, value, messageLabel);
  return value;
}

/** What a host said. Returns `value` itself, so unknown fields and the order of keys survive. */
export function parseHostMessage(value: unknown): HostMessage {
  assertFits(hostMessage, value, messageLabel);
  return value;
}

/** What a bridge told its hub. Returns `value` itself. */
export function parseBridgeReport(value: unknown): BridgeReport {
  assertFits(bridgeReport, value, messageLabel);
  return value;
}

/** What a hub told a bridge. Returns `value` itself. */
export function parseBridgeOrder(value: unknown): BridgeOrder {
  assertFits(bridgeOrder, value, messageLabel);
  return value;
}

/** What a successful control response carries. An empty answer is an empty object. */
export function parseControlPayload<S extends ControlSubtype>(
  subtype: S,
  payload: unknown,
): ControlPayload<S> {
  const value = payload ?? {};
  assertFits(controlPayloads[subtype], value, () => `${subtype} response`);
  return value;
}

// No schema transforms, so what passed has the schema's type; Zod's own copy would move known keys to the front.
function assertFits<W extends Wire>(
  shape: W,
  value: unknown,
  label: (value: unknown) => string,
): asserts value is Inbound<W> {
  const problem = findProblem(shape.loose, value);
  if (problem) throw new MessageParseError(label(value), value, problem);
}

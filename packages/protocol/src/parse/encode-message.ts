import type * as z from 'zod/mini';
import { agentMessage, type OutboundAgentMessage } from '../schema/agent-message.ts';
import {
  bridgeOrder,
  bridgeReport,
  type OutboundBridgeOrder,
  type OutboundBridgeReport,
} from '../schema/bridge-message.ts';
import {
  type ControlSubtype,
  controlPayloads,
  type OutboundControlPayload,
} from '../schema/control-payload.ts';
import { hostMessage, type OutboundHostMessage } from '../schema/host-message.ts';
import { type RelayStatusMessage, relayStatusMessage } from '../schema/relay-message.ts';
import { findProblem } from './find-problem.ts';
import { MessageEncodeError } from './message-error.ts';
import { messageLabel } from './message-label.ts';

// Legal inside JSON strings, but `node:readline`, which old hosts read with, ends a line at them.
const LINE_SEPARATORS = /[\u2028\u2029]/g;

/** The line, without its line end, in which an agent sends `message`. */
export function encodeAgentMessage(message: OutboundAgentMessage): string {
  return encode(agentMessage.strict, message);
}

/** The line, without its line end, in which a host sends `message`. */
export function encodeHostMessage(message: OutboundHostMessage): string {
  return encode(hostMessage.strict, message);
}

/** The line, without its line end, in which a relay sends `message` to its frontends. */
export function encodeRelayStatus(message: RelayStatusMessage): string {
  return encode(relayStatusMessage.strict, message);
}

/** The line, without its line end, in which a bridge tells its hub `report`. */
export function encodeBridgeReport(report: OutboundBridgeReport): string {
  return encode(bridgeReport.strict, report);
}

/** The line, without its line end, in which a hub gives a bridge `order`. */
export function encodeBridgeOrder(order: OutboundBridgeOrder): string {
  return encode(bridgeOrder.strict, order);
}

/** Check an answer before it goes into a control response, whose envelope cannot know which request it answers. */
export function checkControlPayload<S extends ControlSubtype>(
  subtype: S,
  payload: OutboundControlPayload<S>,
): void {
  check(controlPayloads[subtype].strict, payload, `${subtype} response`);
}

function encode(schema: z.core.$ZodType, message: unknown): string {
  const label = messageLabel(message);
  check(schema, message, label);
  try {
    return JSON.stringify(message).replace(LINE_SEPARATORS, escapeSeparator);
  } catch (cause) {
    throw new MessageEncodeError(
      label,
      { path: [], field: '', text: `it is not JSON: ${String(cause)}` },
      { cause },
    );
  }
}

function escapeSeparator(separator: string): string {
  return separator === '\u2028' ? '\\u2028' : '\\u2029';
}

function check(schema: z.core.$ZodType, value: unknown, label: string): void {
  const problem = findProblem(schema, value);
  if (problem) throw new MessageEncodeError(label, problem);
}

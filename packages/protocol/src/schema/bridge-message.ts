import { oneOf } from './one-of.ts';
import {
  choice,
  type Inbound,
  list,
  literal,
  nullable,
  number,
  type Outbound,
  object,
  optional,
  text,
} from './wire.ts';

const type = literal('bridge');

/** What a bridge tells its hub about the agent it owns, between the agent's own lines. */
export const bridgeReports = {
  /** First of all, and once: who runs what, where. Secrets in the command are masked. */
  started: object({
    type,
    subtype: literal('started'),
    bridge: text,
    pid: number,
    agent_pid: number,
    command: list(text),
    cwd: text,
    host: text,
  }),
  /** The agent closed its stdout and is alive all the same; it will say nothing more. */
  output_ended: object({ type, subtype: literal('output_ended'), agent_pid: number, descendants: number }),
  /** The answer to `inspect`. Output and life are told apart: neither proves the other. */
  status: object({
    type,
    subtype: literal('status'),
    agent: choice(['running', 'gone']),
    output: choice(['open', 'ended']),
    descendants: number,
    stderr: text,
  }),
  /** The agent wrote what cannot travel as its own line: a message of this type, or a line that no reader would get whole. */
  quoted: object({ type, subtype: literal('quoted'), line: text }),
  /** Last: the agent is gone. `descendants` were alive without it, and have been ended. */
  exited: object({
    type,
    subtype: literal('exited'),
    code: nullable(number),
    signal: nullable(text),
    stderr: text,
    descendants: number,
  }),
  /** The agent could not be started, or be read any further; `error` is a code of docs/ERRORS.md. */
  failed: object({ type, subtype: literal('failed'), error: text, message: text }),
};

/** What a hub tells a bridge; the agent never sees it. */
export const bridgeOrders = {
  /** End the agent and all that it started: by the end of its input, then SIGTERM, then SIGKILL; or at once. */
  stop: object({ type, subtype: literal('stop'), mode: optional(choice(['gently', 'at_once'])) }),
  /** Close the agent's stdin: it finishes what it has, and leaves. */
  end_input: object({ type, subtype: literal('end_input') }),
  /** Ask for a `status`. */
  inspect: object({ type, subtype: literal('inspect') }),
};

export const bridgeReport = oneOf('subtype', bridgeReports);
export const bridgeOrder = oneOf('subtype', bridgeOrders);

/**
 * What a bridge says of itself, as received. Route by the line's head: a bridge passes no line on whose head has
 * this type, so an agent cannot speak for it.
 */
export type BridgeReport = Inbound<typeof bridgeReport>;

/** What a bridge may say of itself. */
export type OutboundBridgeReport = Outbound<typeof bridgeReport>;

/** What a hub tells a bridge, as received. */
export type BridgeOrder = Inbound<typeof bridgeOrder>;

/** What a hub may tell a bridge. */
export type OutboundBridgeOrder = Outbound<typeof bridgeOrder>;

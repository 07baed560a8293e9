// The protocol itself, for programs that speak it by hand: lines, messages, control requests, and ways to an agent.

export type {
  AgentMessage,
  Channel,
  ControlHandler,
  ControlHandlerContext,
  ControlPeerOptions,
  ControlRequest,
  ControlRequestBody,
  HostMessage,
  JsonObject,
  LineDecoderOptions,
  RequestOptions,
} from '@signalbox/protocol';
export {
  ControlPeer,
  encodeAgentMessage,
  encodeHostMessage,
  LineDecoder,
  LineTooLongError,
  MessageEncodeError,
  MessageParseError,
  parseAgentMessage,
  parseHostMessage,
  SignalboxError,
  WireLine,
} from '@signalbox/protocol';
export type { Transport, TransportState } from '@signalbox/transport';
export { createStdioTransport, spawnTransport } from '@signalbox/transport/stdio';

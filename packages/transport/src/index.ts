// the contract

export { LineQueue, RECEIVE_HIGH_WATER_BYTES } from './line-queue.ts';
export { BlankLineError } from './outgoing-line.ts';
export { settledWithin } from './settled-within.ts';
export { shownUrl } from './shown-url.ts';
export type { Transport, TransportState } from './transport.ts';
export {
  LineBreakError,
  ReceiveTwiceError,
  TransportClosedError,
  TransportFailedError,
  UndeliveredError,
} from './transport-errors.ts';

// memory

export { createMemoryPair, type MemoryPair, type MemoryPairOptions } from './memory/memory-pair.ts';

// stdio

export {
  CHILD_GRACE_MS,
  type ChildExit,
  ChildNotStartedError,
  type ChildOptions,
  ChildTransport,
  spawnTransport,
} from './stdio/child-transport.ts';
export { createStdioTransport } from './stdio/own-stdio.ts';
export {
  SEND_HIGH_WATER_BYTES,
  StreamTransport,
  type StreamTransportOptions,
} from './stdio/stream-transport.ts';

// websocket

export { Gate } from './gate.ts';
export {
  decodeLinkFrame,
  ERROR_HEADER,
  encodeLinkFrame,
  LINK_HEADER,
  LINK_VERSION,
  type LinkFrame,
  type LinkPosition,
  LinkProtocolError,
  RUN_HEADER,
} from './link/link-frame.ts';
export {
  OUTBOX_DISK_BYTES,
  OUTBOX_MEMORY_BYTES,
  Outbox,
  type OutboxOptions,
  OutboxReadError,
  OutboxSpillError,
} from './link/outbox.ts';
export { AcceptedTransport, type AcceptedTransportOptions } from './websocket/accepted-transport.ts';
export { answerPings } from './websocket/answer-pings.ts';
export { bearerToken, type TokenSources } from './websocket/bearer-token.ts';
export { LAST_ID_HEADER } from './websocket/last-request-id.ts';
export { CLOSE_CODE } from './websocket/line-socket.ts';
export type { LinkGap } from './websocket/receiver.ts';
export {
  DEFAULT_RECONNECT,
  isFinalClose,
  isFinalStatus,
  type ReconnectPolicy,
  reconnectDelayMs,
} from './websocket/reconnect-policy.ts';
export { REPLAY_BYTES, REPLAY_LINES, SOCKET_HIGH_WATER_BYTES } from './websocket/sender.ts';
export {
  CLOSE_TIMEOUT_MS,
  PING_INTERVAL_MS,
  type SocketTransportOptions,
} from './websocket/socket-transport.ts';
export { WebSocketAcceptor } from './websocket/websocket-acceptor.ts';
export {
  ConnectionLostError,
  HANDSHAKE_TIMEOUT_MS,
  KEEP_ALIVE_INTERVAL_MS,
  WebSocketTransport,
  type WebSocketTransportOptions,
} from './websocket/websocket-transport.ts';

// hybrid

export {
  AcceptedHybridTransport,
  type AcceptedHybridTransportOptions,
  SIGN_OF_LIFE_MS,
} from './hybrid/accepted-hybrid-transport.ts';
export { EventMemory, REMEMBERED_EVENTS } from './hybrid/event-memory.ts';
export { POST_ID_HEADER } from './hybrid/event-post.ts';
export {
  DEFAULT_POST_RETRY,
  POST_HIGH_WATER_BYTES,
  POST_MAX_BYTES,
  POST_MAX_LINES,
  POST_TIMEOUT_MS,
} from './hybrid/event-poster.ts';
export {
  decodeEvents,
  EventsRefusedError,
  LineNotJsonError,
} from './hybrid/events-body.ts';
export { eventsUrl, HybridUrlError } from './hybrid/events-url.ts';
export { HybridPostFailedError, HybridPostRefusedError } from './hybrid/hybrid-errors.ts';
export { HybridTransport, type HybridTransportOptions } from './hybrid/hybrid-transport.ts';
export { membersOf } from './hybrid/json-parts.ts';
export { assertJsonContent, type BodyPatience, readBody } from './hybrid/read-body.ts';
export { type Reading, ReadingBudget } from './reading-budget.ts';
export { measure } from './websocket/measure.ts';

// choosing

export { createTransport, UnsupportedProtocolError, UrlInvalidError } from './create-transport.ts';

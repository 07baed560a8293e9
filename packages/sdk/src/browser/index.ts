export { SignalboxError } from '@signalbox/protocol';
export type { SDKMessage } from '../types/messages.ts';
export type { PermissionResult, PermissionUpdate } from '../types/permissions.ts';
export { bearerFromProtocols, LINE_PROTOCOL } from './bearer-protocol.ts';
export {
  ConnectionEndedError,
  DirectConnect,
  type DirectConnectCallbacks,
  type DirectConnectConfig,
  type PermissionRequest,
  SEND_LIMIT_BYTES,
  type SocketConstructor,
} from './direct-connect.ts';

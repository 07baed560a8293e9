export { SignalboxError } from '@signalbox/protocol';
export { bearerFromProtocols, LINE_PROTOCOL } from '@signalbox/protocol/hub';
export type { SocketConstructor } from '../socket/socket.ts';
export type { SDKMessage } from '../types/messages.ts';
export type { PermissionResult, PermissionUpdate } from '../types/permissions.ts';
export {
  ConnectionEndedError,
  DirectConnect,
  type DirectConnectCallbacks,
  type DirectConnectConfig,
  type PermissionRequest,
  SEND_LIMIT_BYTES,
} from './direct-connect.ts';

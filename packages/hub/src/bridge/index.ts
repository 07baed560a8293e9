// The bridge: a process that owns an agent and dials a hub for it. It loads nothing of the hub itself.

export { handedVariables, readAssignments } from './agent-environment.ts';
export { endTree } from './agent-tree.ts';
export { Bridge, type BridgeEnd, type BridgeOptions } from './bridge.ts';
export {
  BridgeNotStartedError,
  BridgeOptionsError,
  BridgeRunningError,
  HubOutdatedError,
  HubSocketError,
  JournalWriteError,
  RedeliveryError,
  TokenWithheldError,
} from './bridge-errors.ts';
export { type BridgeMeta, signalboxHome } from './bridge-folder.ts';
export { type FoundBridge, findBridges } from './find-bridges.ts';
export { hostedCommand } from './hosted-command.ts';
export { type HubFile, readHubFile } from './hub-file.ts';
export { HubSocketAgent } from './hub-socket.ts';
export { hubSocketPath, SOCKET_ORIGIN } from './hub-socket-path.ts';
export { type LaunchedBridge, type LaunchOptions, launchBridge } from './launch-bridge.ts';
export { assertMayGo, isOwnHub, ownToken } from './own-token.ts';
export { LINGER_MS } from './patience.ts';
export { identityOf, isRunning } from './running-process.ts';
export { tokenReader } from './token-reader.ts';

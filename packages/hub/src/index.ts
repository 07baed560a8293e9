export { type Hub, type HubOptions, startHub } from './hub.ts';
export type { NewLaunch } from './launch/launch-desk.ts';
export type { LaunchSetup, LocalAgent } from './launch/local-agent.ts';
export { Log, LogLevelError, type LogOptions, stderrLog } from './log/log.ts';
export { HubNotStartedError } from './server/server-errors.ts';
export { openSqliteStore } from './store/sqlite/sqlite-store.ts';
export type { Store } from './store/store.ts';
export { type StoreReport, verifyStore } from './store/verify-store.ts';

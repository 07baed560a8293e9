export { type Hub, type HubOptions, startHub } from './hub.ts';
export { HubNotStartedError } from './server/server-errors.ts';
export { openSqliteStore } from './store/sqlite/sqlite-store.ts';
export type { Store } from './store/store.ts';

export { Log, LogLevelError, type LogOptions, stderrLog } from './base/log.ts';
export { replaceFile } from './base/replace-file.ts';
export { assertProtected } from './doors/http/hub-server.ts';
export { HubNotStartedError } from './doors/http/server-errors.ts';
export { assertOpenRelay } from './doors/relay/open-relay.ts';
export { type Hub, type HubOptions, startHub } from './hub.ts';
export type {
  AgentDefinitions,
  ConversationFiles,
  ConversationOnDisk,
  DefinedAgent,
  LaunchSetup,
  LocalAgent,
  MessageOnDisk,
  TakeMessages,
  TranscriptOnDisk,
  TranscriptPlace,
  TranscriptSince,
} from './launch/local-agent.ts';
export { type HubNode, Node, type NodeOptions } from './nodes/node.ts';
export type { NewLaunch } from './service/launch-service.ts';
export type { TrustSetup } from './service/trust-service.ts';
export type { CopyPlace } from './store/copy/copy-between.ts';
export { copyStoreTo } from './store/copy/copy-on-thread.ts';
export type { CopyProgress, CopyReport } from './store/copy/copy-store.ts';
export { databaseAddress } from './store/postgres/database-address.ts';
export { assertDatabaseKnown, openPostgresStore } from './store/postgres/postgres-store.ts';
export { checkBackup, restoreBackup } from './store/sqlite/backup/backup-task.ts';
export { draftOf } from './store/sqlite/backup/put-back.ts';
export { type DamagedLog, damageFile, lastDamage } from './store/sqlite/log/damaged-log.ts';
export { describeDamage } from './store/sqlite/log/describe-damage.ts';
export { openSqliteStore } from './store/sqlite/sqlite-store.ts';
export { assertVersionKnown } from './store/sqlite/stored-version.ts';
export type { Store } from './store/store.ts';
export {
  DatabaseThereError,
  SearchIndexDamagedError,
  StoreCorruptError,
  StoreInUseError,
  StoreLogDamagedError,
} from './store/store-errors.ts';
export { type StoreReport, verifyStore } from './store/verify-store.ts';

// The contract of the store, for those who implement it elsewhere.

export type { Audit, AuditEntry, Decision } from './audit.ts';
export type { Budgets, StoredBudget } from './budget.ts';
export type { Comments, StoredComment } from './comment.ts';
export {
  type Commit,
  type Committed,
  type Effect,
  type EffectResults,
  isToAppend,
  sessionsOf,
} from './commit.ts';
export {
  type Admission,
  type Device,
  type DeviceGrant,
  type DeviceQuery,
  type Devices,
  signInDecision,
} from './device.ts';
export type { Disk } from './disk.ts';
export { excerptAround } from './excerpt.ts';
export {
  type BegunRequest,
  type KeptAnswer,
  type KeptAnswers,
  MAX_KEPT_ANSWER_BYTES,
} from './kept-answer.ts';
export type { Launch, Launches } from './launch.ts';
export type { LoopAndIteration, Loops, StoredIteration, StoredLoop } from './loop.ts';
export type {
  Delivery,
  DeliveryChange,
  NewNotice,
  Notices,
  StoredCapability,
  StoredTarget,
} from './notice.ts';
export { PAGE_ITEMS } from './page.ts';
export type { PastRequest, Permissions } from './permission.ts';
export type { Inbox, NewPrompt, PromptEdit } from './prompt.ts';
export { placeBefore } from './prompt-place.ts';
export {
  type Append,
  type Appended,
  cursorOn,
  MAX_WINDOW_BYTES,
  type RecordedLine,
  type Resumption,
  type SessionRecord,
  type Window,
} from './record.ts';
export type { ForgottenKind, Retention, StoreSize } from './retention.ts';
export type { Rules, StoredRule } from './rule.ts';
export { type Said, saidIn } from './said.ts';
export { type FoundPage, outlineWords, SEARCH_HITS, type Search, turnsInPart } from './search.ts';
export { type SearchTerm, searchTerms } from './search-terms.ts';
export { NO_FACTS, type Sessions } from './session.ts';
export type { FolderSpend, LineSpend, Spend, SpendQuery, SpendRow, SpendSum } from './spend.ts';
export { openMemoryStore } from './sqlite/memory-store.ts';
export type { Store } from './store.ts';
export {
  LoopExistsError,
  PromptIdTakenError,
  PromptNotWaitingError,
  RecordNotFoundError,
  SessionExistsError,
  SessionLostError,
  SessionNotFoundError,
  StoreArgumentError,
  StoreClosedError,
  StoreLimitError,
} from './store-errors.ts';
export type { Updates } from './updates.ts';

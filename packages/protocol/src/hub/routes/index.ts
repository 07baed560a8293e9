// What a hub answers over HTTP: one table, of which come the check of requests, the scope they take, the description of the API and
// the types of its client. It is made of zod: what runs in pages takes its types alone, from the index beside it.

export { agentDefinitionName, agentInConfig } from '../schema/agent-definition.ts';
export { type CheckedMessage, clientMessage } from '../schema/client-message.ts';
export { retention } from '../schema/storage.ts';
export type { agentDefinitionRoutes } from './agent-definition-routes.ts';
export type { archiveRoutes } from './archive-routes.ts';
export type { budgetRoutes } from './budget-routes.ts';
export type { changesRoutes } from './changes-routes.ts';
export { declaredErrors, takesKey } from './declared-errors.ts';
export type { deviceRoutes } from './device-routes.ts';
export type { folderRoutes } from './folder-routes.ts';
export type { launchRoutes } from './launch-routes.ts';
export type { loopRoutes } from './loop-routes.ts';
export type { nearbyRoutes } from './nearby-routes.ts';
export type { nodeRoutes } from './node-routes.ts';
export type { noticeRoutes } from './notice-routes.ts';
export type { permissionRoutes } from './permission-routes.ts';
export { PLAIN_ROUTES } from './plain-routes.ts';
export { PROBLEM_STATUS, type Problem, problem } from './problem.ts';
export type { profileRoutes } from './profile-routes.ts';
export type { promptRoutes } from './prompt-routes.ts';
export { DATABASE, JSONL, paramsOf, partsOf, type Route, takesBody } from './route.ts';
export { ROUTES } from './routes.ts';
export type { ruleRoutes } from './rule-routes.ts';
export type { savedPromptRoutes } from './saved-prompt-routes.ts';
export type { searchRoutes } from './search-routes.ts';
export type { sessionRoutes } from './session-routes.ts';
export type { storageRoutes } from './storage-routes.ts';
export type { terminalRoutes } from './terminal-routes.ts';
export type { trustRoutes } from './trust-routes.ts';
export type { worktreeRoutes } from './worktree-routes.ts';

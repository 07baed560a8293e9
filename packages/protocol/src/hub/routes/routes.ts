import type * as z from 'zod';
import { agentDefinitionRoutes } from './agent-definition-routes.ts';
import { archiveRoutes } from './archive-routes.ts';
import { budgetRoutes } from './budget-routes.ts';
import { changesRoutes } from './changes-routes.ts';
import { deviceRoutes } from './device-routes.ts';
import { folderRoutes } from './folder-routes.ts';
import { launchRoutes } from './launch-routes.ts';
import { loopRoutes } from './loop-routes.ts';
import { nearbyRoutes } from './nearby-routes.ts';
import { nodeRoutes } from './node-routes.ts';
import { noticeRoutes } from './notice-routes.ts';
import { permissionRoutes } from './permission-routes.ts';
import type { PLAIN_ROUTES } from './plain-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { promptRoutes } from './prompt-routes.ts';
import type { Params } from './route.ts';
import { ruleRoutes } from './rule-routes.ts';
import { savedPromptRoutes } from './saved-prompt-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { storageRoutes } from './storage-routes.ts';
import { terminalRoutes } from './terminal-routes.ts';
import { trustRoutes } from './trust-routes.ts';
import { worktreeRoutes } from './worktree-routes.ts';

/** Everything under /api that takes a token, by method and path. */
export const ROUTES = {
  ...sessionRoutes,
  ...promptRoutes,
  ...savedPromptRoutes,
  ...permissionRoutes,
  ...ruleRoutes,
  ...budgetRoutes,
  ...profileRoutes,
  ...agentDefinitionRoutes,
  ...deviceRoutes,
  ...launchRoutes,
  ...loopRoutes,
  ...nearbyRoutes,
  ...archiveRoutes,
  ...storageRoutes,
  ...nodeRoutes,
  ...terminalRoutes,
  ...changesRoutes,
  ...trustRoutes,
  ...worktreeRoutes,
  ...folderRoutes,
  ...searchRoutes,
  ...noticeRoutes,
};

/** A route of the table: its method and its path. */
export type RouteKey = keyof typeof ROUTES;

type Table = typeof ROUTES & typeof PLAIN_ROUTES;

/** A route whose body and answer are JSON, those that sign in and out included. */
export type JsonRoute = {
  [Key in keyof Table]: Table[Key] extends { gives: string } | { takes: string } ? never : Key;
}[keyof Table];

/** A route whose answer is bytes as they come. */
export type StreamedRoute = {
  [Key in RouteKey]: (typeof ROUTES)[Key] extends { gives: string } ? Key : never;
}[RouteKey];

/** What a route answers with. */
export type RouteAnswer<Key extends keyof Table> = z.infer<Table[Key]['answer']>;

/** The schema of a part of a request; without one there is nothing to say. */
type Part<Key extends keyof Table, Name extends string> =
  Table[Key] extends Record<Name, infer Schema extends z.ZodType> ? Schema : z.ZodUndefined;

/** What the hub makes of a query and a body when it has checked them. */
export type CheckedQuery<Key extends keyof Table> = z.output<Part<Key, 'query'>>;
export type CheckedBody<Key extends keyof Table> = z.output<Part<Key, 'body'>>;

/** What a client says to a route: nothing where the route takes nothing. */
export type RouteRequest<Key extends keyof Table> = Field<'params', Params<Key>> &
  Field<'query', z.input<Part<Key, 'query'>>> &
  Field<'body', z.input<Part<Key, 'body'>>>;

/** A field that may be left out where nothing has to be in it. */
type Field<Name extends string, Value> = [Value] extends [undefined]
  ? { [Key in Name]?: undefined }
  : Partial<Value> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

import type { RouteKey } from '@signalbox/protocol/hub';
import { paramsOf, partsOf, ROUTES, type Route } from '@signalbox/protocol/hub/routes';
import type { Services } from '../../service/services.ts';
import type { Device } from '../../store/device.ts';
import { checked } from '../http/checked.ts';
import { agentDefinitionHandlers } from './agent-definition-handlers.ts';
import { archiveHandlers } from './archive-handlers.ts';
import { budgetHandlers } from './budget-handlers.ts';
import { changesHandlers } from './changes-handlers.ts';
import { deviceHandlers } from './device-handlers.ts';
import { folderHandlers } from './folder-handlers.ts';
import type { Call, Handler, HandlersOf } from './handler.ts';
import { launchHandlers } from './launch-handlers.ts';
import { loopHandlers } from './loop-handlers.ts';
import { nearbyHandlers } from './nearby-handlers.ts';
import { nodeHandlers } from './node-handlers.ts';
import { noticeHandlers } from './notice-handlers.ts';
import { profileHandlers } from './profile-handlers.ts';
import { permissionHandlers, promptHandlers } from './prompt-handlers.ts';
import type { Attempt } from './repeats.ts';
import { ruleHandlers } from './rule-handlers.ts';
import { savedPromptHandlers } from './saved-prompt-handlers.ts';
import { searchHandlers } from './search-handlers.ts';
import { sessionHandlers } from './session-handlers.ts';
import { storageHandlers } from './storage-handlers.ts';
import { terminalHandlers } from './terminal-handlers.ts';
import { trustHandlers } from './trust-handlers.ts';
import { worktreeHandlers } from './worktree-handlers.ts';

/** A request before anything of it was checked. */
export interface RawCall {
  device: Device;
  params: Record<string, string>;
  query: Readonly<Record<string, string>>;
  body?: unknown;
  lines: () => AsyncIterable<Uint8Array>;
  attempt?: Attempt;
}

/** A route of the table, and what answers it here. */
export interface Endpoint {
  key: string;
  method: string;
  path: string;
  route: Route;
  serve: (call: RawCall) => Promise<unknown>;
}

type Handlers = HandlersOf<typeof ROUTES>;
/** Of routes that not every hub has. */
type Optional =
  | keyof ReturnType<typeof trustHandlers>
  | keyof ReturnType<typeof terminalHandlers>
  | keyof ReturnType<typeof changesHandlers>
  | keyof ReturnType<typeof nearbyHandlers>
  | keyof ReturnType<typeof profileHandlers>
  | keyof ReturnType<typeof agentDefinitionHandlers>
  | keyof ReturnType<typeof folderHandlers>
  | keyof ReturnType<typeof savedPromptHandlers>
  | keyof ReturnType<typeof worktreeHandlers>;

/** Everything under /api that needs a token; `url` is where people find the hub. */
export function endpointsOf(services: Services, url: string): Endpoint[] {
  const { sessions, devices, archive, launches, forks, loops, rules, budgets, spend, storage } = services;
  const { terminals, views, changes, comments, nearby, trust, worktrees, profiles, notices, search } =
    services;
  const { definitions } = services;
  const { folders, savedPrompts, nodes } = services;
  const handlers: Omit<Handlers, Optional> & Partial<Handlers> = {
    ...sessionHandlers(services),
    ...promptHandlers(sessions),
    ...permissionHandlers(sessions),
    ...ruleHandlers(rules),
    ...budgetHandlers(budgets, spend),
    ...noticeHandlers(notices),
    ...deviceHandlers(devices, url),
    ...launchHandlers(launches, forks),
    ...loopHandlers(loops),
    ...archiveHandlers(archive),
    ...searchHandlers(search),
    ...storageHandlers(storage),
    ...nodeHandlers(nodes),
    ...(terminals && views ? terminalHandlers(terminals, views) : {}),
    ...(changes && comments ? changesHandlers(changes, comments) : {}),
    ...(profiles ? profileHandlers(profiles) : {}),
    ...(definitions ? agentDefinitionHandlers(definitions) : {}),
    ...(nearby ? nearbyHandlers(nearby) : {}),
    ...(trust ? trustHandlers(trust) : {}),
    ...(savedPrompts ? savedPromptHandlers(savedPrompts) : {}),
    ...(folders ? folderHandlers(folders) : {}),
    ...(worktrees ? worktreeHandlers(worktrees) : {}),
  };
  return Object.keys(handlers).flatMap((key) => (isRouteKey(key) ? endpoint(handlers, key) : []));
}

function endpoint<Key extends RouteKey>(handlers: { [One in Key]?: Handler<One> }, key: Key): Endpoint[] {
  const handle: Handler<Key> | undefined = handlers[key];
  if (!handle) return [];
  const { method, path } = partsOf(key);
  const route: Route = ROUTES[key];
  const inPath = paramsOf(path);
  const serve = async ({ params, query, body, attempt, ...rest }: RawCall): Promise<unknown> => {
    const call = {
      ...rest,
      attempt,
      params: checked('the path', inPath, params),
      query: route.query && checked('the query', route.query, query),
      body: route.body && checked('the body', route.body, body),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its types are those of the schemas that it was checked by
    return handle(call as unknown as Call<Key>);
  };
  return [{ key, method, path, route, serve }];
}

function isRouteKey(key: string): key is RouteKey {
  return Object.hasOwn(ROUTES, key);
}

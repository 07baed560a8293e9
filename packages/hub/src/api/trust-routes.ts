import { statSync } from 'node:fs';
import type { FolderTrust } from '@signalbox/protocol/hub';
import * as z from 'zod';
import { permit } from '../auth/permit.ts';
import { launchFolder } from '../launch/launch-folder.ts';
import type { Launches } from '../store/launch.ts';
import type { Desk } from './desk.ts';
import { nothing, type Route, route } from './route.ts';
import * as schema from './schemas.ts';

/** The folders of this machine that the person trusts. `env` is what an agent is started with beside the hub's own. */
export interface TrustSetup {
  list: () => Promise<string[]>;
  look: (folder: string, env?: Record<string, string>) => Promise<FolderTrust>;
  trust: (folder: string) => Promise<FolderTrust>;
  distrust: (folder: string) => Promise<FolderTrust>;
}

/** Agents that a folder's files speak to only when it is trusted. */
const ASKS_FOR_TRUST = ['signalbox-agent', 'scripted'];

const folder = z.string().min(1).max(4096).describe("a path on the hub's machine, whole or from ~/");

const folderTrust = z.object({
  folder: z.string(),
  root: z.string().describe('what is trusted, or would be: the folder, its repository, or one above it'),
  isTrusted: z.boolean(),
  withheld: z.array(z.string()).describe('what agents in it leave out, with the files that it stands in'),
});

/** Which folders may speak for the person. Whoever says so lets their files run programs: it takes the scope admin. */
export function trustRoutes(desk: Desk, launches: Launches, setup: TrustSetup): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/trusted-folders',
      summary: 'The folders of this machine that agents trust; with `folder`, whether that one is',
      scope: 'admin',
      params: nothing,
      query: z.object({ folder: folder.exactOptional() }),
      body: nothing,
      status: 200,
      answer: z.object({ items: z.array(z.string()), asked: folderTrust.exactOptional() }),
      handle: async ({ device, query }) => {
        permit(device, 'admin');
        const asked =
          query.folder === undefined ? {} : { asked: await setup.look(launchFolder(query.folder)) };
        return { items: await setup.list(), ...asked };
      },
    }),
    route({
      method: 'post',
      path: '/api/trusted-folders',
      summary:
        'Trust a folder, or the repository it is in: its hooks, servers and rules count from the next start',
      scope: 'admin',
      params: nothing,
      query: nothing,
      body: z.strictObject({ folder }),
      status: 200,
      answer: folderTrust,
      handle: async ({ device, body }) => {
        permit(device, 'admin');
        const trusted = await setup.trust(launchFolder(body.folder));
        await desk.decided(device, 'trust folder', null, trusted.root);
        return trusted;
      },
    }),
    route({
      method: 'delete',
      path: '/api/trusted-folders',
      summary: 'Trust a folder no longer',
      scope: 'admin',
      params: nothing,
      query: z.object({ folder }),
      body: nothing,
      status: 200,
      answer: folderTrust,
      handle: async ({ device, query }) => {
        permit(device, 'admin');
        const left = await setup.distrust(launchFolder(query.folder));
        await desk.decided(device, 'distrust folder', null, query.folder);
        return left;
      },
    }),
    route({
      method: 'get',
      path: '/api/sessions/{session}/trust',
      summary:
        'Whether the folder of an agent that this hub launched is trusted; null where that is not known here',
      scope: 'admin',
      params: z.object({ session: schema.sessionId }),
      query: nothing,
      body: nothing,
      status: 200,
      answer: z.object({ trust: folderTrust.nullable() }),
      handle: async ({ device, params }) => {
        permit(device, 'admin', params.session);
        const spec = (await launches.get(params.session))?.spec;
        const isMeant = spec && ASKS_FOR_TRUST.includes(spec.agent) && isFolder(spec.folder);
        return { trust: isMeant ? await setup.look(spec.folder, spec.env) : null };
      },
    }),
  ];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

import * as z from 'zod';
import { folderPath, folderTrust } from '../schema/trust.ts';
import type { RouteTable } from './route.ts';

export const trustRoutes = {
  'GET /api/trusted-folders': {
    summary: 'The folders of this machine that agents trust; with `folder`, whether that one is',
    scope: 'admin',
    query: z.object({ folder: folderPath.exactOptional() }),
    answer: z.object({ items: z.array(z.string()), asked: folderTrust.exactOptional() }),
    errors: ['FOLDER_NOT_FOUND'],
  },
  'POST /api/trusted-folders': {
    summary:
      'Trust a folder, or the repository it is in: its hooks, servers and rules count from the next start',
    scope: 'admin',
    body: z.strictObject({ folder: folderPath }),
    answer: folderTrust,
    errors: ['FOLDER_NOT_FOUND'],
  },
  'DELETE /api/trusted-folders': {
    summary: 'Trust a folder no longer',
    scope: 'admin',
    query: z.object({ folder: folderPath }),
    answer: folderTrust,
    errors: ['FOLDER_NOT_FOUND'],
  },
  'GET /api/sessions/{session}/trust': {
    summary:
      'Whether the folder of an agent that this hub launched is trusted; null where that is not known here',
    scope: 'admin',
    answer: z.object({ trust: folderTrust.nullable() }),
  },
} satisfies RouteTable;

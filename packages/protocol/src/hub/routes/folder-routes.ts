import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { folderListing, foundFiles } from '../schema/folder.ts';
import { folderPath } from '../schema/trust.ts';
import type { RouteTable } from './route.ts';

export const folderRoutes = {
  'GET /api/folders': {
    summary: "The folders in a folder of the hub's machine, to choose where an agent works",
    scope: 'drive',
    isLong: true,
    isSlow: true,
    query: z.object({ folder: folderPath.default('~') }),
    answer: folderListing,
    errors: ['FOLDER_NOT_FOUND'],
  },
  'GET /api/sessions/{session}/files': {
    summary: "Files of the session's folder by a part of their path; what git ignores is left out",
    scope: 'drive',
    isLong: true,
    isSlow: true,
    query: z.object({
      query: z
        .string()
        .max(LIMITS.fileQueryLength.most)
        .default('')
        .describe('letters of the path, in order'),
    }),
    answer: foundFiles,
    errors: ['FOLDER_NOT_FOUND', 'GIT_FAILED', 'GIT_TIMEOUT'],
  },
} satisfies RouteTable;

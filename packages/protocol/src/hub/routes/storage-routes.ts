import * as z from 'zod';
import { storage, sweepReport, sweepRequest } from '../schema/storage.ts';
import { DATABASE, type RouteTable } from './route.ts';

export const storageRoutes = {
  'GET /api/backup': {
    summary: 'A copy of all that the hub keeps, as a SQLite database: as it was at one moment, and checked',
    scope: 'admin',
    gives: DATABASE,
    answer: z.string(),
    errors: ['BACKUP_UNAVAILABLE'],
  },
  'GET /api/storage': {
    summary: 'What the data of the hub takes, what of it is kept for how long, and what was last taken away',
    scope: 'watch',
    answer: storage,
  },
  'POST /api/storage/sweep': {
    summary: 'Take away what is older than the limits say, or try what that would be',
    scope: 'admin',
    body: sweepRequest,
    answer: sweepReport,
    errors: ['ARCHIVE_NOT_WRITTEN'],
    isRepeatable: true,
  },
} satisfies RouteTable;

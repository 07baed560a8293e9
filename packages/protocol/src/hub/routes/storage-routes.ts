import * as z from 'zod';
import { storage, storageChange, sweepReport, sweepRequest } from '../schema/storage.ts';
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
    errors: ['SETTING_INVALID'],
  },
  'PATCH /api/storage': {
    summary: 'Keep things for longer or shorter; it counts from the next sweep on',
    scope: 'admin',
    body: storageChange,
    answer: storage,
    errors: ['SETTING_INVALID', 'SETTINGS_UNAVAILABLE', 'FILE_NOT_WRITTEN'],
  },
  'POST /api/storage/sweep': {
    summary: 'Take away what is older than the limits say, or try what that would be',
    scope: 'admin',
    body: sweepRequest,
    answer: sweepReport,
    errors: ['ARCHIVE_NOT_WRITTEN', 'SETTING_INVALID'],
    isRepeatable: true,
  },
} satisfies RouteTable;

import * as z from 'zod';
import { DATABASE, type RouteTable } from './route.ts';

export const storageRoutes = {
  'GET /api/backup': {
    summary: 'A copy of all that the hub keeps, as a SQLite database: as it was at one moment, and checked',
    scope: 'admin',
    gives: DATABASE,
    answer: z.string(),
    errors: ['BACKUP_UNAVAILABLE'],
  },
} satisfies RouteTable;

import { hubNodes } from '../schema/nodes.ts';
import type { RouteTable } from './route.ts';

export const nodeRoutes = {
  'GET /api/nodes': {
    summary:
      'The hubs that share a PostgreSQL database, which of them leads, and what the database holds; none of a hub on SQLite',
    scope: 'watch',
    answer: hubNodes,
  },
} satisfies RouteTable;

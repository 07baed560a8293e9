import { recordOutline, searchPage, searchQuery } from '../schema/search.ts';
import type { RouteTable } from './route.ts';

export const searchRoutes = {
  'GET /api/search': {
    summary: 'What was said, called or answered with these words, newest first, and where it stands',
    scope: 'watch',
    query: searchQuery,
    answer: searchPage,
  },
  'GET /api/sessions/{session}/outline': {
    summary: 'Where the turns of a record begin, and with which words',
    scope: 'watch',
    answer: recordOutline,
  },
} satisfies RouteTable;

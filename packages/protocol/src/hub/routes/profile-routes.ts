import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { profile, profileChange } from '../schema/profile.ts';
import type { RouteTable } from './route.ts';

export const profileRoutes = {
  'GET /api/profiles': {
    summary:
      'Profiles that an agent can be launched with: their names and those of their variables, never values',
    scope: 'drive',
    answer: z.object({ items: z.array(profile) }),
    errors: ['PROFILES_UNREADABLE'],
  },
  'POST /api/profiles': {
    summary: 'Make a profile, or change variables of one; what is stored can be replaced and not read',
    scope: 'admin',
    size: LIMITS.bodyBytes,
    body: profileChange,
    answer: profile,
    isRepeatable: true,
    errors: ['PROFILE_LIMIT', 'PROFILES_UNREADABLE'],
  },
  'DELETE /api/profiles/{profile}': {
    summary: 'Forget a profile: agents that run keep what they were given',
    scope: 'admin',
    answer: profile,
    errors: ['PROFILE_NOT_FOUND', 'PROFILES_UNREADABLE'],
  },
} satisfies RouteTable;

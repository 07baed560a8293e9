import * as z from 'zod';
import { LIMITS } from '../../limits.ts';
import { agentDefinition, agentDefinitionChange } from '../schema/agent-definition.ts';
import type { RouteTable } from './route.ts';

export const agentDefinitionRoutes = {
  'GET /api/agent-definitions': {
    summary:
      'The agents that config.json of the hub defines, with the names of their variables and never a value',
    scope: 'admin',
    answer: z.object({ items: z.array(agentDefinition) }),
  },
  'POST /api/agent-definitions': {
    summary: 'Define an agent, or change one: it is in config.json, and can be launched, from then on',
    scope: 'admin',
    size: LIMITS.bodyBytes,
    body: agentDefinitionChange,
    answer: agentDefinition,
    isRepeatable: true,
    errors: ['SETTING_INVALID', 'FILE_NOT_WRITTEN'],
  },
  'DELETE /api/agent-definitions/{agent}': {
    summary: 'Take an agent out of config.json: what runs of it goes on',
    scope: 'admin',
    answer: agentDefinition,
    errors: ['AGENT_NOT_FOUND', 'SETTING_INVALID', 'FILE_NOT_WRITTEN'],
  },
} satisfies RouteTable;

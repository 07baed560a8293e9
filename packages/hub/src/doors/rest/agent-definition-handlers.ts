import type { agentDefinitionRoutes } from '@signalbox/protocol/hub/routes';
import type { AgentDefinitionService } from '../../service/agent-definition-service.ts';
import type { HandlersOf } from './handler.ts';

export function agentDefinitionHandlers(
  agents: AgentDefinitionService,
): HandlersOf<typeof agentDefinitionRoutes> {
  return {
    'GET /api/agent-definitions': async ({ device }) => ({ items: await agents.list(device) }),
    'POST /api/agent-definitions': ({ device, body }) => agents.change(device, body),
    'DELETE /api/agent-definitions/{agent}': ({ device, params }) => agents.remove(device, params.agent),
  };
}

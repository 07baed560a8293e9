import type { launchRoutes } from '@signalbox/protocol/hub/routes';
import type { ForkService } from '../../service/fork-service.ts';
import type { LaunchService } from '../../service/launch-service.ts';
import type { HandlersOf } from './handler.ts';

export function launchHandlers(launches: LaunchService, forks: ForkService): HandlersOf<typeof launchRoutes> {
  return {
    'GET /api/agents': ({ device }) => launches.agents(device),
    'GET /api/conversations': async ({ device, query }) => ({
      items: await launches.conversations(device, query),
    }),
    'POST /api/sessions/{session}/stop': ({ device, params }) => launches.stop(device, params.session),
    'POST /api/sessions/{session}/restart': ({ device, params }) => launches.restart(device, params.session),
    'POST /api/sessions/{session}/fork': ({ device, params, body }) =>
      forks.fork(device, params.session, body),
  };
}

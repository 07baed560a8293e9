import type { nearbyRoutes } from '@signalbox/protocol/hub/routes';
import type { NearbyService } from '../../service/nearby-service.ts';
import type { HandlersOf } from './handler.ts';

export function nearbyHandlers(nearby: NearbyService): HandlersOf<typeof nearbyRoutes> {
  return {
    'GET /api/nearby': async ({ device }) => ({ items: await nearby.list(device) }),
    'POST /api/nearby': ({ device, body, attempt }) =>
      nearby.join(device, body, attempt && { id: attempt.made, begunAt: attempt.begunAt }),
  };
}

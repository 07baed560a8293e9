import type { trustRoutes } from '@signalbox/protocol/hub/routes';
import type { TrustService } from '../../service/trust-service.ts';
import type { HandlersOf } from './handler.ts';

export function trustHandlers(trust: TrustService): HandlersOf<typeof trustRoutes> {
  return {
    'GET /api/trusted-folders': ({ device, query }) => trust.list(device, query.folder),
    'POST /api/trusted-folders': ({ device, body }) => trust.trust(device, body.folder),
    'DELETE /api/trusted-folders': ({ device, query }) => trust.distrust(device, query.folder),
    'GET /api/sessions/{session}/trust': async ({ device, params }) => ({
      trust: await trust.ofSession(device, params.session),
    }),
  };
}

import type { profileRoutes } from '@signalbox/protocol/hub/routes';
import type { ProfileService } from '../../service/profile-service.ts';
import type { HandlersOf } from './handler.ts';

export function profileHandlers(profiles: ProfileService): HandlersOf<typeof profileRoutes> {
  return {
    'GET /api/profiles': async ({ device }) => ({ items: await profiles.list(device) }),
    'POST /api/profiles': ({ device, body }) => profiles.change(device, body),
    'DELETE /api/profiles/{profile}': ({ device, params }) => profiles.remove(device, params.profile),
  };
}

import type { archiveRoutes } from '@signalbox/protocol/hub/routes';
import type { ArchiveService } from '../../service/archive-service.ts';
import type { HandlersOf } from './handler.ts';

export function archiveHandlers(archive: ArchiveService): HandlersOf<typeof archiveRoutes> {
  return {
    'GET /api/sessions/{session}/export': ({ device, params }) => archive.export(device, params.session),
    'POST /api/sessions/import': ({ device, query, lines }) => archive.import(device, lines(), query.id),
    'DELETE /api/sessions/{session}': async ({ device, params }) => {
      const worktree = await archive.remove(device, params.session);
      return { removed: params.session, ...(worktree ? { worktree } : {}) };
    },
  };
}

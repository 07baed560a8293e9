import type { worktreeRoutes } from '@signalbox/protocol/hub/routes';
import type { WorktreeService } from '../../service/worktree-service.ts';
import type { HandlersOf } from './handler.ts';

export function worktreeHandlers(worktrees: WorktreeService): HandlersOf<typeof worktreeRoutes> {
  return {
    'GET /api/repositories': ({ device, query }) => worktrees.look(device, query.folder),
    'POST /api/trusted-setups': ({ device, body }) => worktrees.trust(device, body.folder, body.text),
    'DELETE /api/trusted-setups': ({ device, query }) => worktrees.distrust(device, query.folder),
    'GET /api/worktrees': async ({ device }) => ({ items: await worktrees.list(device) }),
    'POST /api/worktrees/sweep': async ({ device }) => ({ items: await worktrees.sweep(device) }),
    'DELETE /api/worktrees/{repository}/{slug}': ({ device, params }) =>
      worktrees.remove(device, params.repository, params.slug),
    'GET /api/sessions/{session}/setup': ({ device, params }) =>
      worktrees.setupOutput(device, params.session),
  };
}

import type { folderRoutes } from '@signalbox/protocol/hub/routes';
import type { FolderService } from '../../service/folder-service.ts';
import type { HandlersOf } from './handler.ts';

export function folderHandlers(folders: FolderService): HandlersOf<typeof folderRoutes> {
  return {
    'GET /api/folders': ({ device, query }) => folders.folders(device, query.folder),
    'GET /api/sessions/{session}/files': ({ device, params, query }) =>
      folders.files(device, params.session, query.query),
  };
}

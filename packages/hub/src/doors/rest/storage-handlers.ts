import type { storageRoutes } from '@signalbox/protocol/hub/routes';
import type { StorageService } from '../../service/storage-service.ts';
import type { HandlersOf } from './handler.ts';

export function storageHandlers(storage: StorageService): HandlersOf<typeof storageRoutes> {
  return {
    'GET /api/backup': ({ device }) => storage.backup(device),
    'GET /api/storage': ({ device }) => storage.state(device),
    'PATCH /api/storage': ({ device, body }) => storage.change(device, body.retention),
    'POST /api/storage/sweep': ({ device, body }) => storage.sweep(device, body.retention, body.trial),
  };
}

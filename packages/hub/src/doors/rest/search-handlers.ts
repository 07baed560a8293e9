import type { searchRoutes } from '@signalbox/protocol/hub/routes';
import type { SearchService } from '../../service/search-service.ts';
import type { HandlersOf } from './handler.ts';

export function searchHandlers(search: SearchService): HandlersOf<typeof searchRoutes> {
  return {
    'GET /api/search': ({ device, query }) => search.find(device, query),
    'GET /api/sessions/{session}/outline': ({ device, params }) => search.outline(device, params.session),
  };
}

import type { nodeRoutes } from '@signalbox/protocol/hub/routes';
import type { NodeService } from '../../service/node-service.ts';
import type { HandlersOf } from './handler.ts';

export function nodeHandlers(nodes: NodeService): HandlersOf<typeof nodeRoutes> {
  return { 'GET /api/nodes': ({ device }) => nodes.list(device) };
}

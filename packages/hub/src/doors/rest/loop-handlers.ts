import type { loopRoutes } from '@signalbox/protocol/hub/routes';
import type { LoopService } from '../../service/loop-service.ts';
import type { HandlersOf } from './handler.ts';

export function loopHandlers(loops: LoopService): HandlersOf<typeof loopRoutes> {
  return {
    'POST /api/loops': ({ device, body, attempt }) =>
      loops.create(device, { ...(attempt ? { id: attempt.made } : {}), ...body }, attempt?.begunAt),
    'GET /api/loops': ({ device, query: { state, ...page } }) =>
      loops.list(device, { ...page, ...(state ? { states: [state] } : {}) }),
    'GET /api/loops/{loop}': ({ device, params }) => loops.get(device, params.loop),
    'GET /api/loops/{loop}/iterations': ({ device, params, query }) =>
      loops.iterations(device, params.loop, query),
    'PATCH /api/loops/{loop}': ({ device, params, body }) => loops.edit(device, params.loop, body),
    'DELETE /api/loops/{loop}': ({ device, params }) => loops.remove(device, params.loop),
    'POST /api/loops/{loop}/pause': ({ device, params }) => loops.act(device, params.loop, 'pause'),
    'POST /api/loops/{loop}/resume': ({ device, params }) => loops.act(device, params.loop, 'resume'),
    'POST /api/loops/{loop}/stop': ({ device, params }) => loops.act(device, params.loop, 'stop'),
  };
}

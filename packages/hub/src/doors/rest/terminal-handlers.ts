import type { terminalRoutes } from '@signalbox/protocol/hub/routes';
import type { TerminalService } from '../../service/terminal-service.ts';
import type { ViewService } from '../../service/view-service.ts';
import type { HandlersOf } from './handler.ts';

export function terminalHandlers(
  terminals: TerminalService,
  views: ViewService,
): HandlersOf<typeof terminalRoutes> {
  return {
    'GET /api/sessions/{session}/terminals': async ({ device, params }) => ({
      items: await terminals.list(device, params.session),
    }),
    'POST /api/sessions/{session}/terminals': ({ device, params, body }) =>
      terminals.start(device, params.session, body),
    'POST /api/sessions/{session}/view': ({ device, params, body }) =>
      views.change(device, params.session, body),
    'DELETE /api/sessions/{session}/terminals/{terminal}': ({ device, params }) =>
      terminals.end(device, params.session, Number(params.terminal)),
  };
}

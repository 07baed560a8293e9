import type { permissionRoutes, promptRoutes } from '@signalbox/protocol/hub/routes';
import type { SessionService } from '../../service/session-service.ts';
import { promptJson, promptListJson } from '../../store/written-prompt.ts';
import type { HandlersOf } from './handler.ts';

export function promptHandlers(sessions: SessionService): HandlersOf<typeof promptRoutes> {
  return {
    'GET /api/sessions/{session}/prompts': async ({ device, params }) => {
      const items = promptListJson(await sessions.prompts(device, params.session));
      return Buffer.concat([Buffer.from('{"items":'), ...items, Buffer.from('}')]);
    },
    'POST /api/sessions/{session}/prompts': ({ device, params, body }) =>
      sessions.prompt(device, params.session, body),
    'PATCH /api/sessions/{session}/prompts/{prompt}': async ({ device, params: { session, prompt }, body }) =>
      Buffer.concat(promptJson(await sessions.editPrompt(device, session, prompt, body))),
    'DELETE /api/sessions/{session}/prompts/{prompt}': async ({ device, params: { session, prompt } }) =>
      Buffer.concat(promptJson(await sessions.cancelPrompt(device, session, prompt))),
  };
}

export function permissionHandlers(sessions: SessionService): HandlersOf<typeof permissionRoutes> {
  return {
    'GET /api/permissions': ({ device, query }) => sessions.openPermissions(device, query),
    'POST /api/sessions/{session}/permissions/{request}/answer': ({
      device,
      params: { session, request },
      body,
    }) => sessions.answer(device, session, request, body),
  };
}

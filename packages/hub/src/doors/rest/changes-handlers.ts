import type { changesRoutes } from '@signalbox/protocol/hub/routes';
import type { ChangesService } from '../../service/changes-service.ts';
import type { CommentService } from '../../service/comment-service.ts';
import type { HandlersOf } from './handler.ts';

export function changesHandlers(
  changes: ChangesService,
  comments: CommentService,
): HandlersOf<typeof changesRoutes> {
  return {
    'GET /api/sessions/{session}/changes': ({ device, params, query }) =>
      changes.list(device, params.session, query),
    'GET /api/sessions/{session}/changes/diff': ({ device, params, query }) =>
      changes.diff(device, params.session, query),
    'GET /api/sessions/{session}/changes/branches': ({ device, params }) =>
      changes.branches(device, params.session),
    'GET /api/sessions/{session}/changes/turns': async ({ device, params }) => ({
      items: await changes.turns(device, params.session),
    }),
    'POST /api/sessions/{session}/changes/stage': ({ device, params, body }) =>
      changes.stage(device, params.session, body.paths),
    'POST /api/sessions/{session}/changes/unstage': ({ device, params, body }) =>
      changes.unstage(device, params.session, body.paths),
    'POST /api/sessions/{session}/changes/discard': async ({ device, params, body }) => ({
      discard: await changes.discard(device, params.session, body.paths),
    }),
    'POST /api/sessions/{session}/changes/undo': ({ device, params, body }) =>
      changes.undo(device, params.session, body.discard),
    'POST /api/sessions/{session}/changes/commit': async ({ device, params, body }) => ({
      commit: await changes.commit(device, params.session, body.message),
    }),
    'GET /api/sessions/{session}/changes/comments': async ({ device, params }) => ({
      items: await comments.list(device, params.session),
    }),
    'POST /api/sessions/{session}/changes/comments': ({ device, params, body }) =>
      comments.add(device, params.session, body),
    'DELETE /api/sessions/{session}/changes/comments/{comment}': async ({ device, params }) => {
      await comments.remove(device, params.session, params.comment);
      return {};
    },
    'POST /api/sessions/{session}/changes/comments/send': ({ device, params, body }) =>
      comments.send(device, params.session, body),
  };
}

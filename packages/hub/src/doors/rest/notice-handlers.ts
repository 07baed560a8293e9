import type { noticeRoutes } from '@signalbox/protocol/hub/routes';
import type { NoticeService } from '../../service/notice-service.ts';
import type { HandlersOf } from './handler.ts';

export function noticeHandlers(notices: NoticeService): HandlersOf<typeof noticeRoutes> {
  return {
    'GET /api/notices': ({ device, query }) => notices.list(device, query),
    'GET /api/notices/targets': async ({ device }) => ({ items: await notices.targets(device) }),
    'POST /api/notices/targets': ({ device, body, attempt }) => notices.add(device, body, attempt?.made),
    'GET /api/notices/push-key': async ({ device }) => ({ publicKey: await notices.pushKey(device) }),
    'POST /api/notices/push': ({ device, body }) => notices.subscribe(device, body),
    'DELETE /api/notices/targets/{target}': ({ device, params }) => notices.remove(device, params.target),
    'POST /api/notices/targets/{target}/test': ({ device, params }) => notices.test(device, params.target),
  };
}

import { LIMITS } from '@signalbox/protocol';
import { PLAIN_ROUTES } from '@signalbox/protocol/hub/routes';
import type { SignInLimit } from '../../auth/sign-in-limit.ts';
import type { Log } from '../../base/log.ts';
import type { Services } from '../../service/services.ts';
import { checked } from '../http/checked.ts';
import { addressOf } from '../http/client-address.ts';
import type { Exchange } from '../http/exchange.ts';
import { problemOf } from '../http/problem.ts';
import type { Router } from '../http/router.ts';
import { NOTICE_PAGE, NOTICE_PAGE_POLICY } from './notice-page.ts';
import { bodyIn } from './request.ts';

/** What answering by notices works with. */
export interface NoticeAnswerParts {
  limit: SignInLimit;
  isProxied: boolean;
  answers: Services['noticeAnswers'];
  log: Log;
}

/** The page behind the link of a notice, and what answers by it: the right that came along is all that they take. */
export function addNoticeAnswers(
  router: Router,
  { limit, isProxied, answers, log }: NoticeAnswerParts,
): void {
  const guarded = async (exchange: Exchange, work: () => Promise<unknown>): Promise<void> => {
    try {
      exchange.json(200, await work());
    } catch (error) {
      if (problemOf(error).code === 'CAPABILITY_INVALID') {
        const address = addressOf(exchange, isProxied);
        log.warn('answer by a notice refused', { address });
        limit.fail(address);
      }
      throw error;
    }
  };
  const bodyOf = async (exchange: Exchange): Promise<unknown> =>
    (await bodyIn(exchange, LIMITS.signInBodyBytes, 'anybody')).value;
  router.on('GET', '/notice', (exchange) =>
    exchange.answer(200, 'text/html; charset=utf-8', NOTICE_PAGE, {
      'content-security-policy': NOTICE_PAGE_POLICY,
    }),
  );
  router.on('POST', '/api/notice-answers/look', (exchange) =>
    guarded(exchange, async () => {
      const { body } = PLAIN_ROUTES['POST /api/notice-answers/look'];
      return answers.look(checked('the body', body, await bodyOf(exchange)).capability);
    }),
  );
  router.on('POST', '/api/notice-answers', (exchange) =>
    guarded(exchange, async () => {
      const { body } = PLAIN_ROUTES['POST /api/notice-answers'];
      const { capability, ...answer } = checked('the body', body, await bodyOf(exchange));
      return answers.answer(capability, answer);
    }),
  );
}

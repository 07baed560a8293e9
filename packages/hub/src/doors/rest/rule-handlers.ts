import type { ruleRoutes } from '@signalbox/protocol/hub/routes';
import type { RuleService } from '../../service/rule-service.ts';
import type { HandlersOf } from './handler.ts';

export function ruleHandlers(rules: RuleService): HandlersOf<typeof ruleRoutes> {
  return {
    'GET /api/rules': ({ device, query }) => rules.list(device, query),
    'POST /api/rules': ({ device, body, attempt }) => rules.add(device, body, attempt?.made),
    'DELETE /api/rules/{rule}': ({ device, params }) => rules.remove(device, params.rule),
    'POST /api/rules/test': ({ device, body }) => rules.test(device, body),
    'GET /api/rules/suggestions': async ({ device, query }) => ({
      items: await rules.suggest(device, query),
    }),
  };
}

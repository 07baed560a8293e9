import type { budgetRoutes } from '@signalbox/protocol/hub/routes';
import type { BudgetService } from '../../service/budget-service.ts';
import type { SpendService } from '../../service/spend-service.ts';
import type { HandlersOf } from './handler.ts';

export function budgetHandlers(budgets: BudgetService, spend: SpendService): HandlersOf<typeof budgetRoutes> {
  return {
    'GET /api/budgets': async ({ device, query }) => ({ items: await budgets.list(device, query) }),
    'POST /api/budgets': ({ device, body, attempt }) => budgets.add(device, body, attempt?.made),
    'PATCH /api/budgets/{budget}': ({ device, params, body }) => budgets.change(device, params.budget, body),
    'DELETE /api/budgets/{budget}': ({ device, params }) => budgets.remove(device, params.budget),
    'POST /api/sessions/{session}/allow-turn': ({ device, params }) =>
      budgets.allowTurn(device, params.session),
    'GET /api/spend': ({ device, query }) => spend.report(device, query),
  };
}

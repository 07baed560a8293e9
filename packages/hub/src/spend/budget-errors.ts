import { SignalboxError } from '@signalbox/protocol';

/** Nothing more may be spent: what was asked for would begin a turn. */
export class BudgetReachedError extends SignalboxError {
  constructor(standing: string) {
    super('BUDGET_REACHED', standing);
  }
}

/** There is nothing to allow. */
export class BudgetNotReachedError extends SignalboxError {
  constructor(session: string) {
    super('BUDGET_NOT_REACHED', `Session ${session} is held by no budget: it takes prompts as always.`);
  }
}

/** A change would leave neither a limit in dollars nor one in tokens. */
export class BudgetEmptyError extends SignalboxError {
  constructor() {
    super(
      'BUDGET_EMPTY',
      'A budget has a limit in dollars, in tokens or in both. To be without it, remove it.',
    );
  }
}

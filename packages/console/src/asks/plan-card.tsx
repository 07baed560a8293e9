import { objectAt, otherFields, textAt } from '@signalbox/protocol';
import { useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { Markdown } from '../markdown/markdown.tsx';
import { useMayDrive } from '../shell/scope.ts';
import { Fields } from '../tools/fields.tsx';
import { t } from '../words/t.ts';
import { AllowButton } from './allow-button.tsx';
import { Card } from './card.tsx';
import { EditButton } from './edit-button.tsx';
import type { Answering } from './use-answer.ts';
import { WordsForm } from './words-form.tsx';

/** Whether a plan is good enough to begin. */
export function PlanCard({ ask, answering }: { ask: PermissionRequest; answering: Answering }) {
  const { answer, isLocked, problem } = answering;
  const mayDrive = useMayDrive();
  const input = objectAt(ask.request, 'input');
  const [isChanging, setChanging] = useState(false);
  const plan = textAt(input, 'plan');
  /** What somebody makes of the plan; undefined while it is the agent's. */
  const [edited, setEdited] = useState<string>();
  const changed = edited === undefined || edited === plan ? {} : { updatedInput: { ...input, plan: edited } };
  return (
    <Card
      title={t.asks.beginPlan}
      problem={problem}
      mustRead
      tools={
        mayDrive &&
        edited === undefined &&
        !isChanging && <EditButton isLocked={isLocked} onEdit={() => setEdited(plan)} />
      }
      foot={(isRead) =>
        isChanging ? (
          <WordsForm
            label={t.asks.planWish}
            action={t.asks.keepPlanning}
            isLocked={isLocked}
            onBack={() => setChanging(false)}
            onSay={(wish) => answer({ behavior: 'deny', message: keepPlanning(wish) })}
            onStop={(wish) => answer({ behavior: 'deny', interrupt: true, message: keepPlanning(wish) })}
          />
        ) : (
          <div className="buttons">
            <AllowButton
              isRead={isRead}
              isLocked={isLocked}
              unread={t.asks.readToApprove}
              onAllow={() =>
                answer({ behavior: 'allow', ...changed, ...(mayDrive ? { mode: 'default' } : {}) })
              }
            >
              {edited === undefined ? t.asks.approve : t.asks.approveChanged}
            </AllowButton>
            {mayDrive && isRead && (
              <button
                type="button"
                className="button"
                disabled={isLocked}
                onClick={() => answer({ behavior: 'allow', ...changed, mode: 'acceptEdits' })}
              >
                {t.asks.approveEdits}
              </button>
            )}
            <button
              type="button"
              className="button"
              data-answer="no"
              disabled={isLocked}
              onClick={() => setChanging(true)}
            >
              {t.asks.keepPlanningAsk}
            </button>
            {edited !== undefined && (
              <button
                type="button"
                className="button quiet"
                disabled={isLocked}
                onClick={() => setEdited(undefined)}
              >
                {t.asks.leavePlan}
              </button>
            )}
          </div>
        )
      }
    >
      {edited === undefined ? (
        <div className="plan">
          <Markdown text={plan || t.asks.emptyPlan} />
        </div>
      ) : (
        <textarea
          className="field mono plan-edit"
          aria-label={t.asks.plan}
          dir="auto"
          autoFocus
          value={edited}
          onChange={({ target }) => setEdited(target.value)}
        />
      )}
      <Fields fields={otherFields('ExitPlanMode', input)} />
    </Card>
  );
}

function keepPlanning(wish: string): string {
  return wish === ''
    ? 'The user does not approve the plan yet. Keep planning, and ask what they miss.'
    : `The user wants the plan changed before you begin: ${wish}`;
}

import { objectAt, otherFields, textAt } from '@signalbox/protocol';
import { useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { Markdown } from '../markdown/markdown.tsx';
import { useMayDrive } from '../shell/scope.ts';
import { Fields } from '../tools/fields.tsx';
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
      title="Begin with this plan?"
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
            label="What should change?"
            action="Keep planning"
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
              unread="Read to the end to approve"
              onAllow={() =>
                answer({ behavior: 'allow', ...changed, ...(mayDrive ? { mode: 'default' } : {}) })
              }
            >
              {edited === undefined ? 'Approve' : 'Approve as changed'}
            </AllowButton>
            {mayDrive && isRead && (
              <button
                type="button"
                className="button"
                disabled={isLocked}
                onClick={() => answer({ behavior: 'allow', ...changed, mode: 'acceptEdits' })}
              >
                Approve, accept edits
              </button>
            )}
            <button
              type="button"
              className="button"
              data-answer="no"
              disabled={isLocked}
              onClick={() => setChanging(true)}
            >
              Keep planning …
            </button>
            {edited !== undefined && (
              <button
                type="button"
                className="button quiet"
                disabled={isLocked}
                onClick={() => setEdited(undefined)}
              >
                Leave it as it was
              </button>
            )}
          </div>
        )
      }
    >
      {edited === undefined ? (
        <div className="plan">
          <Markdown text={plan || '(a plan without words)'} />
        </div>
      ) : (
        <textarea
          className="field mono plan-edit"
          aria-label="Plan"
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

import { objectAt, otherFields, textAt } from '@signalbox/protocol';
import { useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { Markdown } from '../markdown/markdown.tsx';
import { useMayDrive } from '../shell/scope.ts';
import { Fields } from '../tools/fields.tsx';
import { AllowButton } from './allow-button.tsx';
import { Card } from './card.tsx';
import type { Answering } from './use-answer.ts';
import { WordsForm } from './words-form.tsx';

/** Whether a plan is good enough to begin. */
export function PlanCard({ ask, answering }: { ask: PermissionRequest; answering: Answering }) {
  const { answer, isLocked, problem } = answering;
  const mayDrive = useMayDrive();
  const input = objectAt(ask.request, 'input');
  const [isChanging, setChanging] = useState(false);
  return (
    <Card
      title="Begin with this plan?"
      problem={problem}
      mustRead
      foot={(isRead) =>
        isChanging ? (
          <WordsForm
            label="What should change?"
            action="Keep planning"
            isLocked={isLocked}
            onBack={() => setChanging(false)}
            onSay={(wish) => answer({ behavior: 'deny', message: keepPlanning(wish) })}
          />
        ) : (
          <div className="buttons">
            <AllowButton
              isRead={isRead}
              isLocked={isLocked}
              unread="Read to the end to approve"
              onAllow={() => answer({ behavior: 'allow', ...(mayDrive ? { mode: 'default' } : {}) })}
            >
              Approve
            </AllowButton>
            {mayDrive && isRead && (
              <button
                type="button"
                className="button"
                disabled={isLocked}
                onClick={() => answer({ behavior: 'allow', mode: 'acceptEdits' })}
              >
                Approve, accept edits
              </button>
            )}
            <button type="button" className="button" disabled={isLocked} onClick={() => setChanging(true)}>
              Keep planning …
            </button>
          </div>
        )
      }
    >
      <div className="plan">
        <Markdown text={textAt(input, 'plan') || '(a plan without words)'} />
      </div>
      <Fields fields={otherFields('ExitPlanMode', input)} />
    </Card>
  );
}

function keepPlanning(wish: string): string {
  return wish === ''
    ? 'The user does not approve the plan yet. Keep planning, and ask what they miss.'
    : `The user wants the plan changed before you begin: ${wish}`;
}

import { objectAt, textAt } from '@signalbox/protocol';
import { useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { Card, WordsForm } from './card.tsx';
import { Markdown } from './markdown.tsx';
import { useMayDrive } from './scope.ts';
import type { Answering } from './use-answer.ts';

/** Whether a plan is good enough to begin. */
export function PlanCard({ ask, answering }: { ask: PermissionRequest; answering: Answering }) {
  const { answer, isLocked, problem } = answering;
  const mayDrive = useMayDrive();
  const [isChanging, setChanging] = useState(false);
  return (
    <Card title="Begin with this plan?" problem={problem}>
      <div className="ask-input plan">
        <Markdown text={textAt(objectAt(ask.request, 'input'), 'plan') || '(a plan without words)'} />
      </div>
      {isChanging ? (
        <WordsForm
          label="What should change?"
          action="Keep planning"
          isLocked={isLocked}
          onBack={() => setChanging(false)}
          onSay={(wish) => answer({ behavior: 'deny', message: keepPlanning(wish) })}
        />
      ) : (
        <div className="buttons">
          <button
            type="button"
            className="button primary"
            disabled={isLocked}
            onClick={() => answer({ behavior: 'allow', ...(mayDrive ? { mode: 'default' } : {}) })}
          >
            Approve
          </button>
          {mayDrive && (
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
      )}
    </Card>
  );
}

function keepPlanning(wish: string): string {
  return wish === ''
    ? 'The user does not approve the plan yet. Keep planning, and ask what they miss.'
    : `The user wants the plan changed before you begin: ${wish}`;
}

import { objectAt, shownPath, suggestionsIn, suggestionWords, textAt } from '@signalbox/protocol';
import { useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { toolTitle } from '../model/tool-title.ts';
import { CallInput } from './call-input.tsx';
import { Card, WordsForm } from './card.tsx';
import { DialogCard } from './dialog-card.tsx';
import { FormCard } from './form-card.tsx';
import { LinkCard } from './link-card.tsx';
import { PlanCard } from './plan-card.tsx';
import { QuestionCard } from './question-card.tsx';
import { useMayDrive } from './scope.ts';
import { type Answering, useAnswer } from './use-answer.ts';

/** Something that the agent waits for. */
export function AskCard({ ask, folder }: { ask: PermissionRequest; folder: string | null }) {
  const answering = useAnswer(ask);
  const { subtype, mode, tool_name: tool } = ask.request;
  if (subtype === 'request_user_dialog') return <DialogCard ask={ask} answering={answering} />;
  if (subtype === 'elicitation') {
    const ServerAsk = mode === 'url' ? LinkCard : FormCard;
    return <ServerAsk ask={ask} answering={answering} />;
  }
  switch (tool) {
    case 'AskUserQuestion':
      return <QuestionCard ask={ask} answering={answering} />;
    case 'ExitPlanMode':
      return <PlanCard ask={ask} answering={answering} />;
    default:
      return <PermissionCard ask={ask} answering={answering} folder={folder} />;
  }
}

function PermissionCard({
  ask,
  answering,
  folder,
}: {
  ask: PermissionRequest;
  answering: Answering;
  folder: string | null;
}) {
  const { request, parent } = ask;
  const { answer, isLocked, problem } = answering;
  const [isDenying, setDenying] = useState(false);
  const name = textAt(request, 'tool_name');
  const input = objectAt(request, 'input');
  const path = textAt(input, 'file_path') || textAt(input, 'notebook_path');
  const mayDrive = useMayDrive();
  const suggestions = mayDrive ? suggestionsIn(request) : [];
  const what = textAt(request, 'description') || textAt(input, 'description');
  const why = textAt(request, 'decision_reason');
  return (
    <Card title={`Allow ${toolTitle(name)}?`} where={shownPath(path, folder)} problem={problem}>
      {parent && (
        <p className="faint">
          Asked by the sub-agent {parent.agentType ?? ''}{' '}
          {parent.description ? `· ${parent.description}` : ''}
        </p>
      )}
      {what !== '' && <p>{what}</p>}
      {why !== '' && <p className="faint">{why}</p>}
      <div className="ask-input">
        <CallInput name={name} input={input} />
      </div>
      {isDenying ? (
        <WordsForm
          label="What shall it do instead? (optional)"
          action="Deny"
          isLocked={isLocked}
          onBack={() => setDenying(false)}
          onSay={(message) => answer({ behavior: 'deny', ...(message === '' ? {} : { message }) })}
        />
      ) : (
        <div className="buttons">
          <button
            type="button"
            className="button primary"
            disabled={isLocked}
            onClick={() => answer({ behavior: 'allow' })}
          >
            Allow
          </button>
          {suggestions.length > 0 && (
            <button
              type="button"
              className="button"
              disabled={isLocked}
              title={suggestionWords(suggestions)}
              onClick={() => answer({ behavior: 'allow', updatedPermissions: suggestions })}
            >
              Allow always
            </button>
          )}
          <button type="button" className="button" disabled={isLocked} onClick={() => setDenying(true)}>
            Deny …
          </button>
          {suggestions.length > 0 && (
            <span className="faint small">Always: {suggestionWords(suggestions)}</span>
          )}
        </div>
      )}
    </Card>
  );
}

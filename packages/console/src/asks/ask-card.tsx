import { objectAt, sameJson, shownPath, spelledOut, suggestionsIn, textAt } from '@signalbox/protocol';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { fieldsOf, type InputField, inputOf } from '../model/edited-input.ts';
import { firstOf } from '../model/many.ts';
import { toolTitle } from '../model/tool-title.ts';
import { useMayDrive } from '../shell/scope.ts';
import { CallInput } from '../tools/call-input.tsx';
import { t } from '../words/t.ts';
import { AllowButton } from './allow-button.tsx';
import { CallFacts } from './call-facts.tsx';
import { Card } from './card.tsx';
import { DialogCard } from './dialog-card.tsx';
import { EditButton } from './edit-button.tsx';
import { FormCard } from './form-card.tsx';
import { LinkCard } from './link-card.tsx';
import { PlanCard } from './plan-card.tsx';
import { QuestionCard } from './question-card.tsx';
import { SuggestionList, takenAtFirst } from './suggestion-list.tsx';
import { type Answering, useAnswer } from './use-answer.ts';
import { useEndSeen } from './use-end-seen.ts';
import { useHubRule } from './use-hub-rule.ts';
import { UndoContext } from './use-sending.ts';
import { WordsForm } from './words-form.tsx';

/** Loaded when somebody first changes a call. */
const InputEditor = lazy(() => import('./input-editor.tsx'));

/** Something that the agent waits for. */
export function AskCard({ ask, folder }: { ask: PermissionRequest; folder: string | null }) {
  const answering = useAnswer(ask);
  return <UndoContext value={answering.undo}>{cardOf(ask, answering, folder)}</UndoContext>;
}

function cardOf(ask: PermissionRequest, answering: Answering, folder: string | null): ReactNode {
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
  const { request } = ask;
  const { answer, keepRule, isLocked, problem } = answering;
  const [isDenying, setDenying] = useState(false);
  /** What somebody makes of the input; undefined while it is as the agent wants it. */
  const [fields, setFields] = useState<readonly InputField[]>();
  const edited = fields && inputOf(fields);
  const mayDrive = useMayDrive();
  const [suggestions, unseen] = useMemo(
    () => firstOf(mayDrive ? suggestionsIn(request) : []),
    [mayDrive, request],
  );
  const [taken, setTaken] = useState(() => takenAtFirst(suggestions));
  const hubRule = useHubRule(ask);
  const [isHubRuleTaken, setHubRuleTaken] = useState(false);
  const { end, isSeen } = useEndSeen<HTMLDivElement>();
  const name = textAt(request, 'tool_name');
  const input = objectAt(request, 'input');
  const path = textAt(input, 'file_path') || textAt(input, 'notebook_path');
  return (
    <Card
      title={t.asks.allowTool(toolTitle(name))}
      where={spelledOut(shownPath(path, folder))}
      problem={problem || (edited && 'problem' in edited ? edited.problem : '')}
      mustRead
      tools={
        mayDrive &&
        !fields &&
        !isDenying && <EditButton isLocked={isLocked} onEdit={() => setFields(fieldsOf(input))} />
      }
      below={
        fields === undefined && (
          <SuggestionList
            suggestions={suggestions}
            left={unseen.length}
            taken={taken}
            end={end}
            onTaken={(now) => {
              setTaken(now);
              setHubRuleTaken(false);
            }}
            hubRule={hubRule}
            isHubRuleTaken={isHubRuleTaken}
            onHubRule={(isTaken) => {
              setHubRuleTaken(isTaken);
              setTaken(isTaken ? [] : takenAtFirst(suggestions));
            }}
          />
        )
      }
      foot={(isRead) =>
        isDenying ? (
          <WordsForm
            label={t.asks.instead}
            action={t.asks.deny}
            isLocked={isLocked}
            onBack={() => setDenying(false)}
            onSay={(message) => answer({ behavior: 'deny', ...(message === '' ? {} : { message }) })}
            onStop={(message) =>
              answer({ behavior: 'deny', interrupt: true, ...(message === '' ? {} : { message }) })
            }
          />
        ) : fields ? (
          <div className="buttons">
            <AllowButton
              isRead={isRead}
              isLocked={isLocked || !edited || 'problem' in edited}
              onAllow={() => {
                if (!edited || 'problem' in edited) return;
                const isSame = sameJson(edited.input, input);
                answer({ behavior: 'allow', ...(isSame ? {} : { updatedInput: edited.input }) });
              }}
            >
              {t.asks.allowChanged}
            </AllowButton>
            <button
              type="button"
              className="button quiet"
              disabled={isLocked}
              onClick={() => setFields(undefined)}
            >
              {t.common.back}
            </button>
          </div>
        ) : (
          <div className="buttons">
            <AllowButton isRead={isRead} isLocked={isLocked} onAllow={() => answer({ behavior: 'allow' })}>
              {t.asks.allow}
            </AllowButton>
            {isRead && (suggestions.length > 0 || hubRule) && (
              <button
                type="button"
                className="button"
                data-answer="always"
                disabled={isLocked || (isSeen && taken.length === 0 && !isHubRuleTaken)}
                onClick={() => {
                  if (!isSeen) end.current?.scrollIntoView();
                  else if (hubRule && isHubRuleTaken) keepRule(hubRule);
                  else answer({ behavior: 'allow', updatedPermissions: [...taken] });
                }}
              >
                {isSeen ? t.asks.allowAlways : t.asks.allowAlwaysAsk}
              </button>
            )}
            <button
              type="button"
              className="button"
              data-answer="no"
              disabled={isLocked}
              onClick={() => setDenying(true)}
            >
              {t.asks.denyAsk}
            </button>
          </div>
        )
      }
    >
      {fields ? (
        <Suspense>
          <InputEditor fields={fields} onFields={setFields} />
        </Suspense>
      ) : (
        <CallInput name={name} input={input} />
      )}
      <CallFacts ask={ask} />
    </Card>
  );
}

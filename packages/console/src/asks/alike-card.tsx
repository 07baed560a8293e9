import { objectAt, shownPath, textAt } from '@signalbox/protocol';
import type { PermissionRequest, PersonAnswer } from 'signalbox/hub';
import { toolTitle } from '../model/tool-title.ts';
import { useHub } from '../shell/hub-context.ts';
import { useMayAnswer } from '../shell/scope.ts';
import { CallInput } from '../tools/call-input.tsx';
import { t } from '../words/t.ts';
import { AllowButton } from './allow-button.tsx';
import { CallFacts } from './call-facts.tsx';
import { Card } from './card.tsx';
import { UndoContext, useSending } from './use-sending.ts';

/** Calls of one tool to decide about at once. All of them are shown, and each gets an answer of its own. */
export function AlikeCard({ asks, folder }: { asks: readonly PermissionRequest[]; folder: string | null }) {
  const { stream } = useHub();
  const mayAnswer = useMayAnswer();
  const { send, undo, isSending, problem } = useSending();
  const isLocked = isSending || !mayAnswer;
  const answerAll = (answer: PersonAnswer): void =>
    send(() => Promise.all(asks.map(({ session, requestId }) => stream.answer(session, requestId, answer))));
  const name = toolTitle(textAt(asks[0]?.request, 'tool_name'));
  return (
    <UndoContext value={undo}>
      <Card
        title={t.asks.allowAllCalls(asks.length, name)}
        problem={problem}
        mustRead
        foot={(isRead) => (
          <div className="buttons">
            <AllowButton isRead={isRead} isLocked={isLocked} onAllow={() => answerAll({ behavior: 'allow' })}>
              {t.asks.allowAll(asks.length)}
            </AllowButton>
            <button
              type="button"
              className="button"
              disabled={isLocked}
              onClick={() => answerAll({ behavior: 'deny' })}
            >
              {t.asks.denyAll(asks.length)}
            </button>
          </div>
        )}
      >
        <ol className="alike">
          {asks.map((ask) => {
            const input = objectAt(ask.request, 'input');
            const path = textAt(input, 'file_path') || textAt(input, 'notebook_path');
            return (
              <li key={ask.requestId}>
                {path !== '' && <code className="small">{shownPath(path, folder)}</code>}
                <CallInput name={textAt(ask.request, 'tool_name')} input={input} />
                <CallFacts ask={ask} />
              </li>
            );
          })}
        </ol>
      </Card>
    </UndoContext>
  );
}

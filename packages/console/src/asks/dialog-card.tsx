import { objectAt, textAt } from '@signalbox/protocol';
import type { PermissionRequest } from 'signalbox/hub';
import { CallInput } from '../tools/call-input.tsx';
import { t } from '../words/t.ts';
import { AllowButton } from './allow-button.tsx';
import { Card } from './card.tsx';
import type { Answering } from './use-answer.ts';

/** A dialog of the agent, as it describes it: this page knows none of them, and can only say how it ended. */
export function DialogCard({ ask, answering }: { ask: PermissionRequest; answering: Answering }) {
  const { answer, isLocked, problem } = answering;
  const kind = textAt(ask.request, 'dialog_kind');
  return (
    <Card
      title={t.asks.dialog}
      where={kind}
      problem={problem}
      mustRead
      foot={(isRead) => (
        <div className="buttons">
          <AllowButton
            isRead={isRead}
            isLocked={isLocked}
            unread={t.asks.readToGoOn}
            onAllow={() => answer({ behavior: 'allow' })}
          >
            {t.asks.done}
          </AllowButton>
          <button
            type="button"
            className="button"
            disabled={isLocked}
            onClick={() => answer({ behavior: 'deny' })}
          >
            {t.common.cancel}
          </button>
        </div>
      )}
    >
      <CallInput name={kind} input={objectAt(ask.request, 'payload')} />
    </Card>
  );
}

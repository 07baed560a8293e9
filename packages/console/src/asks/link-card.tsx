import { textAt } from '@signalbox/protocol';
import type { PermissionRequest } from 'signalbox/hub';
import { webAddress } from '../model/web-address.ts';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';
import { useCardPlace } from './card-context.ts';
import { Refusals, ServerCard } from './server-card.tsx';
import type { Answering } from './use-answer.ts';

/** A page that an MCP server wants a person to open: they see where it leads before they go. */
export function LinkCard({ ask, answering }: { ask: PermissionRequest; answering: Answering }) {
  const { answer, isLocked, problem } = answering;
  const { isFresh } = useCardPlace();
  const text = textAt(ask.request, 'url');
  const address = webAddress(text);
  return (
    <ServerCard
      title={t.asks.openForServer}
      ask={ask}
      problem={problem}
      foot={() => (
        <div className="buttons">
          {/* A link cannot be disabled: until it is one, a button stands in its place. */}
          {address && isFresh && (
            <button type="button" className="button primary" disabled>
              {t.asks.open}
            </button>
          )}
          {address && !isFresh && !isLocked && (
            <a
              className="button primary"
              href={address.href}
              target="_blank"
              rel="noopener noreferrer"
              onClick={() => answer({ behavior: 'allow' })}
            >
              {t.asks.open}
            </a>
          )}
          <Refusals answering={answering} />
        </div>
      )}
    >
      <p className="faint">
        {address ? (
          <>
            <Sentence of={t.asks.pageAt(<b>{address.host}</b>)} />
          </>
        ) : (
          t.asks.noAddress
        )}
      </p>
      <pre className="code">{address?.href ?? text}</pre>
    </ServerCard>
  );
}

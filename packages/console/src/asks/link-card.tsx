import { textAt } from '@signalbox/protocol';
import type { PermissionRequest } from 'signalbox/hub';
import { webAddress } from '../model/web-address.ts';
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
      title="Open a page for the MCP server"
      ask={ask}
      problem={problem}
      foot={() => (
        <div className="buttons">
          {/* A link cannot be disabled: until it is one, a button stands in its place. */}
          {address && isFresh && (
            <button type="button" className="button primary" disabled>
              Open
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
              Open
            </a>
          )}
          <Refusals answering={answering} />
        </div>
      )}
    >
      <p className="faint">
        {address ? (
          <>
            It is at <b>{address.host}</b> and opens in a new tab.
          </>
        ) : (
          'This is no address of a web page: it cannot be opened from here.'
        )}
      </p>
      <pre className="code">{address?.href ?? text}</pre>
    </ServerCard>
  );
}

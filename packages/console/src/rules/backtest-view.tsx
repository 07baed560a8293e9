import type { PastCall } from 'signalbox/hub';
import { authorName } from '../model/author-name.ts';
import { pathOf } from '../shell/route.ts';
import { t } from '../words/t.ts';
import type { RuleLook } from './use-backtest.ts';

/** How many calls are shown of each kind. */
const SHOWN = 5;

const OUTCOMES: Record<PastCall['outcome'], string> = t.rules.outcomes;

/** What a rule would have done so far: what goes against it first. */
export function BacktestView({ look }: { look: RuleLook }) {
  return (
    <div className="backtest" role="status">
      {look.state === 'none' && <p className="faint">{t.rules.backtestEmpty}</p>}
      {look.state === 'looking' && <p className="faint">{t.rules.backtestLooking}</p>}
      {look.state === 'refused' && <p className="problem">{look.problem}</p>}
      {look.state === 'known' && (
        <>
          <p className="backtest-words">{t.states.backtest(look.test)}</p>
          <CallList calls={look.test.against} title={t.rules.against} isAgainst />
          {look.test.against.length === 0 && <CallList calls={look.test.calls} title={t.rules.lastOfThem} />}
        </>
      )}
    </div>
  );
}

function CallList({
  calls,
  title,
  isAgainst = false,
}: {
  calls: readonly PastCall[];
  title: string;
  isAgainst?: boolean;
}) {
  if (calls.length === 0) return null;
  return (
    <ul className="past-calls" aria-label={title} data-against={isAgainst}>
      {calls.slice(0, SHOWN).map(({ session, requestId, toolName, text, outcome, author }) => (
        <li key={`${session} ${requestId}`}>
          <code>
            {toolName} {text}
          </code>{' '}
          <a className="faint" href={pathOf(session)}>
            {OUTCOMES[outcome]}
            {author ? ` ${t.common.by(authorName(author))}` : ''}
          </a>
        </li>
      ))}
      {calls.length > SHOWN && <li className="faint">{t.common.more(calls.length - SHOWN)}</li>}
    </ul>
  );
}

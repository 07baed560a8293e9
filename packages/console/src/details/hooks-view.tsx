import type { SessionState } from 'signalbox/hub';
import { type KnownHook, knownHooks, type SeenHook, seenHooks } from '../model/seen-hooks.ts';
import { ago } from '../model/session-order.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { TerminalText } from '../parts/terminal-text.tsx';
import { useNow } from '../parts/use-now.ts';
import { t } from '../words/t.ts';
import { useAgentAnswer } from './use-agent-answer.ts';
import { useLines } from './use-lines.ts';

const CLOCK_MS = 30_000;

/** The hooks of a session: those that its agent has, and what came of those that ran. */
export function HooksView({
  session,
  activity,
  next,
}: {
  session: string;
  activity: SessionState;
  next: number;
}) {
  const {
    value: known,
    problem,
    refusal,
  } = useAgentAnswer(session, activity, 'get_hooks_listing', knownHooks);
  const { lines, hasEarlier, isReading, readEarlier } = useLines(session, next);
  const now = useNow(CLOCK_MS);
  const seen = seenHooks(lines);
  return (
    <section className="details-body" aria-label={t.details.hooks}>
      <h2 className="board-title">{t.details.ranHere}</h2>
      {seen.length === 0 && <p className="faint">{isReading ? t.common.reading : t.details.noneRan}</p>}
      {seen.length > 0 && (
        <ul className="board-rows">
          {seen.map((hook) => (
            <SeenRow key={`${hook.event} ${hook.name}`} hook={hook} now={now} />
          ))}
        </ul>
      )}
      {hasEarlier && (
        <button
          type="button"
          className="button quiet details-more"
          disabled={isReading}
          onClick={readEarlier}
        >
          {t.details.lookBack}
        </button>
      )}
      <h2 className="board-title">{t.details.agentHas}</h2>
      {[refusal, problem].filter(Boolean).map((words) => (
        <p key={words} className={words === problem ? 'problem' : 'faint'}>
          {words}
        </p>
      ))}
      {known?.length === 0 && <p className="faint">{t.details.noHooks}</p>}
      {known && known.length > 0 && (
        <ul className="board-rows">
          {known.map((hook, index) => (
            <KnownRow key={index} hook={hook} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SeenRow({
  hook: { name, event, runs, failures, lastTime, lastOutput },
  now,
}: {
  hook: SeenHook;
  now: number;
}) {
  const facts = [
    event === name || name.startsWith(`${event}:`) ? '' : event,
    t.details.times(runs),
    lastTime === undefined ? '' : ago(lastTime, now),
  ];
  return (
    <li className="detail-row">
      <div className="detail-head">
        <span className="dot" data-state={failures > 0 ? 'trouble' : 'idle'} aria-hidden="true" />
        <span className="detail-name">{name}</span>
        <span className="faint small">{facts.filter(Boolean).join(' · ')}</span>
        {failures > 0 && (
          <span className="problem">
            {failures === runs ? t.details.failed : t.details.failures(failures)}
          </span>
        )}
      </div>
      {lastOutput !== '' && (
        <Disclosure summary={<span className="small">{t.details.wroteLast}</span>}>
          <pre className="code">
            <TerminalText text={lastOutput} />
          </pre>
        </Disclosure>
      )}
    </li>
  );
}

function KnownRow({ hook: { event, matcher, does, source, timeoutSeconds } }: { hook: KnownHook }) {
  const facts = [source, timeoutSeconds === undefined ? '' : t.details.timeout(timeoutSeconds)];
  return (
    <li className="detail-row">
      <div className="detail-head">
        <span className="detail-name">{[event, matcher].filter(Boolean).join(' ')}</span>
        <span className="faint small">{facts.filter(Boolean).join(' · ')}</span>
      </div>
      {does !== '' && <p className="faint small mono detail-reached">{does}</p>}
    </li>
  );
}

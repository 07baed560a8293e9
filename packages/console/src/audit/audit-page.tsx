import { sessionTitle } from '@signalbox/protocol';
import { useDeferredValue, useState } from 'react';
import type { AuditEntry } from 'signalbox/hub';
import { deciderOf, filterAudit, subjectOf } from '../model/audit-words.ts';
import { useHubView } from '../shell/hub-context.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { go, pathOf } from '../shell/route.ts';
import { moment } from '../words/format.ts';
import { t } from '../words/t.ts';
import { useAudit } from './use-audit.ts';

/** Who decided what, newest first: found by words, and read page by page. */
export default function AuditPage() {
  const { sessions } = useHubView();
  const [words, setWords] = useState('');
  const sought = useDeferredValue(words);
  const titles = new Map(sessions.map((session) => [session.id, sessionTitle(session)]));
  const find = (entries: readonly AuditEntry[]) => filterAudit(entries, sought, (id) => titles.get(id));
  const { entries, isReading, hasMore, problem, readOn } = useAudit();
  const found = find(entries);
  return (
    <PageFrame title={t.audit.title}>
      <div className="detail-form">
        <label>
          {t.audit.find}
          <input
            className="field"
            type="search"
            placeholder={t.audit.findHint}
            autoComplete="off"
            spellCheck={false}
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </label>
      </div>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <p className="faint small" role="status">
        {sought.trim() === '' || isReading ? '' : t.audit.count(found.length, entries.length)}
      </p>
      {entries.length === 0 && !isReading && problem === '' && <p className="faint">{t.audit.nothing}</p>}
      {found.length > 0 && (
        <ul className="board-rows" aria-label={t.audit.decisions}>
          {found.map((entry) => (
            <EntryRow key={entry.id} entry={entry} title={titles.get(entry.session ?? '')} />
          ))}
        </ul>
      )}
      {hasMore && (
        <button
          type="button"
          className="button quiet details-more"
          disabled={isReading}
          onClick={() => void readOn((page) => find(page).length > 0)}
        >
          {isReading ? t.common.reading : t.audit.older}
        </button>
      )}
    </PageFrame>
  );
}

function EntryRow({ entry, title }: { entry: AuditEntry; title: string | undefined }) {
  const { time, what, why, session } = entry;
  const subject = subjectOf(entry);
  return (
    <li className="detail-row audit-row">
      <span className="detail-name" dir="auto">
        {t.audit.what(what)}
        {subject !== null && <span className="audit-subject faint"> {subject}</span>}
      </span>
      <span className="faint small">
        {deciderOf(entry)}
        {session !== null && title === undefined && ` · ${t.audit.session(session)}`}
        {session !== null && title !== undefined && (
          <>
            {' · '}
            <a
              href={pathOf(session)}
              dir="auto"
              onClick={(event) => {
                event.preventDefault();
                go(pathOf(session));
              }}
            >
              {title}
            </a>
          </>
        )}
      </span>
      {why !== null && (
        <span className="small audit-why" dir="auto">
          {t.audit.why(why)}
        </span>
      )}
      <time className="faint small" dateTime={new Date(time).toISOString()}>
        {moment(time, { dateStyle: 'short', timeStyle: 'medium' })}
      </time>
    </li>
  );
}

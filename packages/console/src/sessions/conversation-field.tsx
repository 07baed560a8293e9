import { useDeferredValue, useState } from 'react';
import type { StoredConversation } from 'signalbox/hub';
import { findConversations } from '../model/find-conversations.ts';
import { problemWords } from '../model/problem-words.ts';
import { ago } from '../model/session-order.ts';
import { shortFolder } from '../model/short-folder.ts';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';

/** As many as the hub gives at a time. */
const MOST = 500;

/** More would be no list to choose from: a search finds the others. */
const SHOWN = 50;

/** A conversation on the hub's machine to go on with, instead of a new one. */
export function ConversationField({
  chosen,
  onChosen,
}: {
  chosen: StoredConversation | undefined;
  onChosen: (conversation: StoredConversation | undefined) => void;
}) {
  const { api } = useHub();
  const [all, setAll] = useState<readonly StoredConversation[]>();
  const [problem, setProblem] = useState('');
  const [words, setWords] = useState('');
  const sought = useDeferredValue(words);
  const load = (): void => {
    if (all) return;
    api.conversations({ limit: MOST }).then(
      ({ items }) => setAll(items),
      (error: unknown) => setProblem(problemWords(error)),
    );
  };
  const found = findConversations(all ?? [], sought).slice(0, SHOWN);
  return (
    <details className="conversations" onToggle={({ currentTarget }) => currentTarget.open && load()}>
      <summary>{chosen ? t.sessions.goesOnWith(chosen.title) : t.sessions.goOnWith}</summary>
      <input
        type="search"
        className="field"
        aria-label={t.sessions.findConversation}
        placeholder={t.sessions.findConversationHint}
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <fieldset className="conversation-list">
        <legend className="unseen">{t.sessions.conversations}</legend>
        <Choice isChosen={!chosen} onChosen={() => onChosen(undefined)} value="">
          {t.sessions.newConversation}
        </Choice>
        {found.map((one) => (
          <Choice key={one.id} value={one.id} isChosen={chosen?.id === one.id} onChosen={() => onChosen(one)}>
            <span dir="auto">{one.title}</span>
            <span className="faint small">
              {[
                ago(one.updatedAt, Date.now()),
                one.folder === null ? '' : shortFolder(one.folder),
                one.branch ?? '',
                one.session === null ? '' : t.sessions.hasSession,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </Choice>
        ))}
        {all && found.length === 0 && (
          <p className="faint small">{t.sessions.noConversation(sought.trim())}</p>
        )}
      </fieldset>
      {problem !== '' && <p className="problem">{problem}</p>}
      {chosen && (
        <label className="option">
          <input key={chosen.id} type="checkbox" name="fork" defaultChecked={chosen.session !== null} />
          <span>{t.sessions.withCopy}</span>
        </label>
      )}
    </details>
  );
}

function Choice({
  value,
  isChosen,
  onChosen,
  children,
}: {
  value: string;
  isChosen: boolean;
  onChosen: () => void;
  children: React.ReactNode;
}) {
  return (
    <label className="option">
      <input type="radio" name="resume" value={value} checked={isChosen} onChange={onChosen} />
      <span className="conversation">{children}</span>
    </label>
  );
}

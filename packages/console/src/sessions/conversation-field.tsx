import { messageOf } from '@signalbox/protocol';
import { useDeferredValue, useState } from 'react';
import type { StoredConversation } from 'signalbox/hub';
import { findConversations } from '../model/find-conversations.ts';
import { ago } from '../model/session-order.ts';
import { shortFolder } from '../model/short-folder.ts';
import { useHub } from '../shell/hub-context.ts';

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
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  const found = findConversations(all ?? [], sought).slice(0, SHOWN);
  return (
    <details className="conversations" onToggle={({ currentTarget }) => currentTarget.open && load()}>
      <summary>{chosen ? `Goes on with: ${chosen.title}` : 'Go on with a conversation …'}</summary>
      <input
        type="search"
        className="field"
        aria-label="Find a conversation"
        placeholder="Find one by its words, place or branch"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <fieldset className="conversation-list">
        <legend className="unseen">Conversations</legend>
        <Choice isChosen={!chosen} onChosen={() => onChosen(undefined)} value="">
          A new one
        </Choice>
        {found.map((one) => (
          <Choice key={one.id} value={one.id} isChosen={chosen?.id === one.id} onChosen={() => onChosen(one)}>
            <span dir="auto">{one.title}</span>
            <span className="faint small">
              {[
                ago(one.updatedAt, Date.now()),
                one.folder === null ? '' : shortFolder(one.folder),
                one.branch ?? '',
                one.session === null ? '' : 'has a session here',
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </Choice>
        ))}
        {all && found.length === 0 && <p className="faint small">None has “{sought.trim()}” in it.</p>}
      </fieldset>
      {problem !== '' && <p className="problem">{problem}</p>}
      {chosen && (
        <label className="option">
          <input key={chosen.id} type="checkbox" name="fork" defaultChecked={chosen.session !== null} />
          <span>With a copy of it: the conversation stays as it is</span>
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

import { sessionTitle } from '@signalbox/protocol';
import type { PermissionRequest } from 'signalbox/hub';
import { AskDeck } from '../asks/ask-deck.tsx';
import { answerWords, askedWords } from '../asks/ask-words.ts';
import { useUndoPreference } from '../asks/undo-preference.ts';
import { ago } from '../model/session-order.ts';
import { shortFolder } from '../model/short-folder.ts';
import { useNow } from '../parts/use-now.ts';
import { useHubView } from '../shell/hub-context.ts';
import { HOME, pathOf } from '../shell/route.ts';
import { useMayAnswer } from '../shell/scope.ts';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';

/** As many as say whether somebody else was first. */
const SHOWN_ANSWERED = 5;

/** All that agents ask, one after the other: whoever answers stays on the keys. */
export function InboxPage({
  asks,
  isRead,
  answered,
}: {
  asks: readonly PermissionRequest[];
  /** Whether all that waits is known. */
  isRead: boolean;
  /** What was answered since somebody looks, the newest first. */
  answered: readonly PermissionRequest[];
}) {
  const { sessions } = useHubView();
  const mayAnswer = useMayAnswer();
  const sessionOf = ({ session }: PermissionRequest) => sessions.find(({ id }) => id === session);
  return (
    <main className="page inbox">
      <header className="board-head">
        <a className="button quiet" href={HOME}>
          {t.board.overview}
        </a>
        <h1 className="page-title">{t.board.inbox}</h1>
      </header>
      {!isRead ? (
        <div className="calm" aria-busy="true" />
      ) : asks.length === 0 ? (
        <div className="calm">
          <h2>{t.board.nothingWaits}</h2>
          <p>{t.board.inboxAbout}</p>
        </div>
      ) : (
        <div className="inbox-body">
          <AskDeck
            asks={asks}
            folderOf={(ask) => sessionOf(ask)?.folder ?? null}
            headOf={(ask) => {
              const session = sessionOf(ask);
              return (
                <p className="inbox-who">
                  <a href={pathOf(ask.session)}>{session ? sessionTitle(session) : ask.session}</a>
                  {session?.folder && <span className="faint"> {shortFolder(session.folder)}</span>}
                </p>
              );
            }}
            hasFocus
          />
          <p className="faint small keys-hint">
            <Sentence
              of={t.board.inboxKeys(<kbd>A</kbd>, <kbd>D</kbd>, <kbd>E</kbd>, <kbd>←</kbd>, <kbd>→</kbd>)}
            />
          </p>
        </div>
      )}
      <Answered asks={answered} />
      {mayAnswer && <UndoChoice />}
    </main>
  );
}

/** Who answered what, whoever it was. */
function Answered({ asks }: { asks: readonly PermissionRequest[] }) {
  const now = useNow(30_000);
  if (asks.length === 0) return null;
  return (
    <section className="answered" aria-label={t.board.answered}>
      <h2>{t.board.answered}</h2>
      <ul>
        {asks.slice(0, SHOWN_ANSWERED).map((ask) => (
          <li key={`${ask.session}/${ask.requestId}`}>
            <a href={pathOf(ask.session)} dir="auto">
              {askedWords(ask)}
            </a>{' '}
            <span className="faint">
              {answerWords(ask)} · {ago(ask.closedAt ?? now, now)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whoever wants it has a moment to take an answer back. */
function UndoChoice() {
  const [isWanted, want] = useUndoPreference();
  return (
    <label className="undo-choice faint small">
      <input type="checkbox" checked={isWanted} onChange={({ target }) => want(target.checked)} />
      {t.board.waitToUndo}
    </label>
  );
}

import { sessionTitle } from '@signalbox/protocol';
import type { PermissionRequest } from 'signalbox/hub';
import { AskDeck } from '../asks/ask-deck.tsx';
import { shortFolder } from '../model/short-folder.ts';
import { useHubView } from '../shell/hub-context.ts';
import { HOME, pathOf } from '../shell/route.ts';

/** All that agents ask, one after the other: whoever answers stays on the keys. */
export function InboxPage({ asks }: { asks: readonly PermissionRequest[] }) {
  const { sessions } = useHubView();
  const sessionOf = ({ session }: PermissionRequest) => sessions.find(({ id }) => id === session);
  return (
    <main className="page inbox">
      <header className="board-head">
        <a className="button quiet" href={HOME}>
          Overview
        </a>
        <h1 className="page-title">Inbox</h1>
      </header>
      {asks.length === 0 ? (
        <div className="calm">
          <h2>Nothing waits for you</h2>
          <p>When an agent asks something, it is here.</p>
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
            <kbd>A</kbd> allows · <kbd>D</kbd> denies · <kbd>←</kbd> <kbd>→</kbd> lead to the others
          </p>
        </div>
      )}
    </main>
  );
}

import { SearchPage } from '../search/search-page.tsx';
import { useHubView } from '../shell/hub-context.ts';
import { useIsInbox, useSearchInAddress } from '../shell/route.ts';
import { BoardPage } from './board-page.tsx';
import { InboxPage } from './inbox-page.tsx';
import { useBoard } from './use-board.ts';

/** The board and the inbox look at the same agents: whoever goes from one to the other, or comes back from a search, waits for nothing. */
export function BoardPages({ onNew, onNewLoop }: { onNew: () => void; onNewLoop: () => void }) {
  const { sessions, keptAt } = useHubView();
  const board = useBoard(sessions, keptAt === undefined);
  const words = useSearchInAddress();
  const isInbox = useIsInbox();
  if (words !== undefined) return <SearchPage words={words} />;
  return isInbox ? <InboxPage {...board} /> : <BoardPage board={board} onNew={onNew} onNewLoop={onNewLoop} />;
}

import { sessionTitle } from '@signalbox/protocol';
import { isScripted } from '../model/scripted.ts';
import { type Command, useCommands } from '../palette/commands.ts';
import { setTour } from '../tour/tour-state.ts';
import { t } from '../words/t.ts';
import { useHubView } from './hub-context.ts';
import { HUB_PAGES } from './hub-pages.ts';
import { useLanguageCommands } from './language-choice.tsx';
import { go, HOME, INBOX, pathOf, searchPath, useSessionInAddress } from './route.ts';
import { useMayDrive } from './scope.ts';

/** What can be done wherever one is: begin something, go to any page. */
export function usePageCommands({ onNew, onNewLoop }: { onNew: () => void; onNewLoop: () => void }): void {
  const { device, sessions } = useHubView();
  const current = useSessionInAddress();
  const asking = sessions.find(({ id, state }) => state === 'asking' && id !== current);
  const scripted = sessions.find((session) => isScripted(session) && session.state !== 'exited');
  const mayDrive = useMayDrive();
  const begin: readonly Command[] = [
    { title: t.shell.newSessionAsk, group: 'do', run: onNew },
    { title: t.shell.newLoopAsk, group: 'do', run: onNewLoop },
  ];
  const tour = (id: string): void => {
    setTour('say');
    go(pathOf(id));
  };
  useLanguageCommands();
  useCommands([
    ...(scripted && mayDrive
      ? [{ title: t.shell.takeTour, group: 'page', run: () => tour(scripted.id) } as const]
      : []),
    ...(mayDrive ? begin : []),
    { title: t.shell.board, words: t.shell.boardWords, group: 'go', run: () => go(HOME) },
    { title: t.shell.inbox, words: t.shell.inboxWords, group: 'go', run: () => go(INBOX) },
    ...(asking
      ? [
          {
            title: t.shell.nextAsking(sessionTitle(asking)),
            group: 'go' as const,
            run: () => go(pathOf(asking.id)),
          },
        ]
      : []),
    { title: t.shell.searchEverything, group: 'go', run: () => go(searchPath('')) },
    ...HUB_PAGES.filter(({ isFor }) => device && isFor(device)).map(
      ({ title, hash }): Command => ({
        title,
        words: t.shell.manageWords,
        group: 'go',
        run: () => go(`${HOME}${hash}`),
      }),
    ),
  ]);
}

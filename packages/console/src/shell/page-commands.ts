import { sessionTitle } from '@signalbox/protocol';
import { isScripted } from '../model/scripted.ts';
import { type Command, useCommands } from '../palette/commands.ts';
import { setTour } from '../tour/tour-state.ts';
import { useHubView } from './hub-context.ts';
import { HUB_PAGES } from './hub-pages.ts';
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
    { title: 'New session …', group: 'Do', run: onNew },
    { title: 'New loop …', group: 'Do', run: onNewLoop },
  ];
  const tour = (id: string): void => {
    setTour('say');
    go(pathOf(id));
  };
  useCommands([
    ...(scripted && mayDrive
      ? [{ title: 'Take the tour', group: 'This page', run: () => tour(scripted.id) } as const]
      : []),
    ...(mayDrive ? begin : []),
    { title: 'Board', words: 'home overview sessions', group: 'Go to', run: () => go(HOME) },
    { title: 'Inbox', words: 'asks questions permissions', group: 'Go to', run: () => go(INBOX) },
    ...(asking
      ? [
          {
            title: `Next that asks: ${sessionTitle(asking)}`,
            group: 'Go to' as const,
            run: () => go(pathOf(asking.id)),
          },
        ]
      : []),
    { title: 'Search in everything said', group: 'Go to', run: () => go(searchPath('')) },
    ...HUB_PAGES.filter(({ isFor }) => device && isFor(device)).map(
      ({ title, hash }): Command => ({
        title,
        words: 'manage',
        group: 'Go to',
        run: () => go(`${HOME}${hash}`),
      }),
    ),
  ]);
}

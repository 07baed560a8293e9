import { momentWords } from '../model/session-order.ts';
import { useHubView } from './hub-context.ts';

/** Says quietly that what the board shows may not be how it is now. A session says so in its own status line. */
export function BehindNote() {
  const { connection, keptAt } = useHubView();
  const isLost = connection === 'waiting' || (connection === 'connecting' && keptAt === undefined);
  if (!isLost && keptAt === undefined) return null;
  return (
    <p className="behind" role="status">
      {isLost
        ? navigator.onLine
          ? 'Connection lost, trying again.'
          : 'This device is offline.'
        : 'Catching up.'}
      {keptAt !== undefined && ` This is how it was at ${momentWords(keptAt)}.`}
    </p>
  );
}

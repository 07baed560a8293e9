import { momentWords } from '../model/session-order.ts';
import { t } from '../words/t.ts';
import { useHubView } from './hub-context.ts';

/** Says quietly that what the board shows may not be how it is now. A session says so in its own status line. */
export function BehindNote() {
  const { connection, keptAt } = useHubView();
  const isLost = connection === 'waiting' || (connection === 'connecting' && keptAt === undefined);
  if (!isLost && keptAt === undefined) return null;
  return (
    <p className="behind" role="status">
      {isLost ? (navigator.onLine ? t.shell.lost : t.shell.offline) : t.shell.catchingUp}
      {keptAt !== undefined && ` ${t.shell.asItWas(momentWords(keptAt))}`}
    </p>
  );
}

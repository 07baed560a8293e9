import type { Session } from 'signalbox/hub';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { go, pathOf } from '../shell/route.ts';
import { t } from '../words/t.ts';
import type { GoBackPlace } from './go-back-context.ts';

/** How much of a reply is shown. */
const SHOWN = 300;

/** Go on from a reply, in a session of its own. */
export function AfterReplyDialog({
  session,
  place: { seq, text },
  onClose,
}: {
  session: Session;
  place: GoBackPlace;
  onClose: () => void;
}) {
  const hub = useHub();
  const goOn = async (): Promise<void> => {
    const fork = await hub.api.fork(session.id, { after: seq });
    hub.add(fork);
    go(pathOf(fork.id));
  };
  return (
    <FormDialog
      title={t.goBack.afterQuestion}
      action={[t.goBack.goOn, t.goBack.goingOn]}
      onSubmit={goOn}
      onClose={onClose}
    >
      <blockquote className="go-back-prompt faint" dir="auto">
        {text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}
      </blockquote>
      <p>{t.goBack.afterAbout}</p>
    </FormDialog>
  );
}

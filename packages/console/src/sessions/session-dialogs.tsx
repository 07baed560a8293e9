import { hasAgent, sessionTitle } from '@signalbox/protocol';
import type { Session, SessionState } from 'signalbox/hub';
import { FormDialog, wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { goInstead } from '../shell/route.ts';
import { t } from '../words/t.ts';

/** As long as the hub takes. */
const MAX_TITLE_LENGTH = 1000;

/** What the dialogs of a session's menu know. */
interface SessionDialogProps {
  session: Session;
  activity: SessionState;
  onClose: () => void;
}

export function RenameDialog({ session, onClose }: SessionDialogProps) {
  const { api } = useHub();
  const rename = async (form: FormData): Promise<void> => {
    await api.rename(session.id, wordIn(form, 'title'));
  };
  return (
    <FormDialog
      title={t.sessions.renameTitle}
      action={[t.sessions.rename, t.sessions.renaming]}
      startAt="title"
      onSubmit={rename}
      onClose={onClose}
    >
      <label>
        {t.sessions.title}
        <input
          name="title"
          className="field"
          dir="auto"
          required
          pattern=".*\S.*"
          maxLength={MAX_TITLE_LENGTH}
          defaultValue={sessionTitle(session)}
          onFocus={({ target }) => target.select()}
        />
      </label>
    </FormDialog>
  );
}

export function EndDialog({ session, activity, onClose }: SessionDialogProps) {
  const { api } = useHub();
  const end = async (): Promise<void> => {
    await api.stop(session.id);
  };
  return (
    <FormDialog
      title={t.sessions.endQuestion}
      action={[t.sessions.end, t.sessions.ending]}
      tone="danger"
      onSubmit={end}
      onClose={onClose}
    >
      <p>{t.states.ending(activity)}</p>
    </FormDialog>
  );
}

export function RemoveDialog({ session, activity, onClose }: SessionDialogProps) {
  const hub = useHub();
  const remove = async (): Promise<void> => {
    if (hasAgent(activity)) await hub.api.stop(session.id);
    await hub.remove(session.id);
    goInstead('/');
  };
  return (
    <FormDialog
      title={t.sessions.removeQuestion}
      action={[t.common.remove, t.common.removing]}
      tone="danger"
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t.states.removing(activity, sessionTitle(session))}</p>
    </FormDialog>
  );
}

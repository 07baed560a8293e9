import { endingWords, hasAgent, removingWords, sessionTitle } from '@signalbox/protocol';
import type { Session, SessionState } from 'signalbox/hub';
import { FormDialog, wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { goInstead } from '../shell/route.ts';

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
      title="Rename this session"
      action={['Rename', 'Renaming …']}
      startAt="title"
      onSubmit={rename}
      onClose={onClose}
    >
      <label>
        Title
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
      title="End this agent?"
      action={['End', 'Ending …']}
      tone="danger"
      onSubmit={end}
      onClose={onClose}
    >
      <p>{endingWords(activity)}</p>
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
      title="Remove this session?"
      action={['Remove', 'Removing …']}
      tone="danger"
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{removingWords(activity, sessionTitle(session))}</p>
    </FormDialog>
  );
}

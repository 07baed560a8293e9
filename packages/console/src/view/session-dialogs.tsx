import type { Session, SessionState } from 'signalbox/hub';
import { titleOf } from '../model/session-order.ts';
import { FormDialog, wordIn } from './form-dialog.tsx';
import { useHub } from './hub-context.ts';
import { goInstead } from './route.ts';

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
    await api.call('PATCH', `/api/sessions/${encodeURIComponent(session.id)}`, {
      title: wordIn(form, 'title'),
    });
  };
  return (
    <FormDialog
      title="Rename this session"
      action={['Rename', 'Renaming …']}
      onSubmit={rename}
      onClose={onClose}
    >
      <label>
        Title
        <input
          name="title"
          className="field"
          required
          pattern=".*\S.*"
          maxLength={MAX_TITLE_LENGTH}
          defaultValue={titleOf(session)}
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
  const isAtWork = activity === 'active' || activity === 'asking';
  return (
    <FormDialog
      title="End this agent?"
      action={['End', 'Ending …']}
      tone="danger"
      onSubmit={end}
      onClose={onClose}
    >
      <p>
        {isAtWork && 'It is in the middle of a turn, which ends with it. '}
        What was said stays, and an agent that this hub started can be started again with it.
      </p>
    </FormDialog>
  );
}

export function RemoveDialog({ session, activity, onClose }: SessionDialogProps) {
  const hub = useHub();
  // One that is not connected may be out of reach: the hub knows whether it still runs, and says so.
  const isThere = activity !== 'exited' && activity !== 'disconnected';
  const remove = async (): Promise<void> => {
    if (isThere) await hub.api.stop(session.id);
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
      <p>
        {isThere && 'Its agent is ended. '}
        All that was said in “{titleOf(session)}” is forgotten for good; the files that it worked on stay.
      </p>
    </FormDialog>
  );
}

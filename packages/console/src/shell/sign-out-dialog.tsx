import { forgetDrafts } from '../compose/drafts.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { HubCommand } from './hub-command.tsx';
import { useHub } from './hub-context.ts';

/** Asked before: to come back takes a link that only the hub's machine makes. */
export function SignOutDialog({ onClose }: { onClose: () => void }) {
  const hub = useHub();
  const signOut = async (): Promise<void> => {
    forgetDrafts();
    await hub.signOut();
  };
  return (
    <FormDialog
      title="Sign out?"
      action={['Sign out', 'Signing out …']}
      tone="danger"
      onSubmit={signOut}
      onClose={onClose}
    >
      <p>
        This browser loses its access to the hub, in all its tabs, and what you have written but not sent.
        Agents go on. To come back you need a new link: <HubCommand words="link" /> on the hub’s machine
        prints one.
      </p>
    </FormDialog>
  );
}

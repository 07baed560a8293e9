import { forgetDrafts } from '../compose/drafts.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';
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
      title={t.shell.signOutQuestion}
      action={[t.shell.signOut, t.shell.signingOut]}
      tone="danger"
      onSubmit={signOut}
      onClose={onClose}
    >
      <p>
        <Sentence of={t.shell.signOutAbout(<HubCommand words="link" />)} />
      </p>
    </FormDialog>
  );
}

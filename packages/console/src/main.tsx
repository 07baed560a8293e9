import { createRoot } from 'react-dom/client';
import { changeDraft } from './compose/drafts.ts';
import { ConsoleHub } from './live/console-hub.ts';
import { before, draftIn } from './model/draft.ts';
import { App } from './shell/app.tsx';
import { HubContext } from './shell/hub-context.ts';
import { registerSoon } from './worker/register-worker.ts';

const place = document.querySelector('#console');
if (place) {
  const hub = new ConsoleHub();
  hub.outbox.resume(({ session, content }) =>
    changeDraft(session, (draft) => before(draftIn(content), draft)),
  );
  registerSoon();
  createRoot(place).render(
    <HubContext value={hub}>
      <App />
    </HubContext>,
  );
}

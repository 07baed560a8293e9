import type { NewView, Session } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { ViewSwitcher } from '../views/view-switcher.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';
import type { SessionConversations } from './session-conversations.ts';

/** What a {@link ViewService} works with. */
export interface ViewServiceParts {
  sessions: LiveSessions;
  switcher: ViewSwitcher;
  conversations: SessionConversations;
  decisions: Decisions;
}

/** Where the conversation of a session goes on. */
export class ViewService {
  readonly #parts: ViewServiceParts;

  constructor(parts: ViewServiceParts) {
    this.#parts = parts;
  }

  /** In a terminal an agent runs what is typed there, as a shell does: to begin there takes what a terminal takes. */
  async change(by: Device, id: string, asked: NewView): Promise<Session> {
    permit(by, asked.view === 'terminal' ? 'admin' : 'drive', id);
    const { sessions, switcher, conversations, decisions } = this.#parts;
    return sessions.use(id, async (live) => {
      const what = asked.view === 'terminal' ? 'continue in terminal' : 'back from terminal';
      await decisions.keep(authorOf(by), { what, session: id });
      await switcher.change(live, {
        ...asked,
        author: authorOf(by),
        conversation: ({ spec }) => conversations.last(by, id, spec),
      });
      return live.session;
    });
  }
}

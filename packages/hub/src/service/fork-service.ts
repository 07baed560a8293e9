import { randomUUID } from 'node:crypto';
import { sessionTitle } from '@signalbox/protocol';
import type { Session } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import { NotLaunchedError } from '../launch/launch-errors.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { SessionNotFoundError } from '../store/store-errors.ts';
import type { LaunchService } from './launch-service.ts';
import { permit } from './permit.ts';
import type { SessionConversations } from './session-conversations.ts';

/** What a {@link ForkService} works with. */
export interface ForkServiceParts {
  store: Store;
  launches: LaunchService;
  conversations: SessionConversations;
}

/** Sessions that go on from a place in the conversation of another one, which stays as it is. */
export class ForkService {
  readonly #parts: ForkServiceParts;

  constructor(parts: ForkServiceParts) {
    this.#parts = parts;
  }

  /** Run the agent of a session as it was launched, with a copy of its conversation: of all, before a prompt, or up to a reply. */
  async fork(
    by: Device,
    session: string,
    { title, ...place }: { before?: number; after?: number; title?: string },
  ): Promise<Session> {
    const { store, launches, conversations } = this.#parts;
    const id = randomUUID();
    permit(by, 'drive', session);
    // A device that is held to one session makes no others.
    permit(by, 'drive', id);
    const from = await store.sessions.get(session);
    if (!from) throw new SessionNotFoundError(session);
    const launched = await store.launches.get(session);
    if (!launched) throw new NotLaunchedError(session);
    // A fork has its own place in the session that it was made of, and not in itself.
    const { prompt: _prompt, before: _before, after: _after, ...spec } = launched.spec;
    const launch = { ...spec, ...place, resume: session, fork: true };
    const conversation = await conversations.asked(by, id, launch);
    return launches.launch(
      authorOf(by),
      { id, title: title ?? `Fork of ${sessionTitle(from)}`, launch },
      conversation,
    );
  }
}

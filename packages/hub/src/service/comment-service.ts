import { randomUUID } from 'node:crypto';
import type { ChangeComment, CheckedBody, Prompt } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import { NoCommentsError } from '../changes/changes-errors.ts';
import { fitsOf, hashOf } from '../changes/comment-fit.ts';
import { commentPrompt } from '../changes/comment-prompt.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import type { ChangesService } from './changes-service.ts';
import { permit } from './permit.ts';
import type { SessionService } from './session-service.ts';

type NewComment = CheckedBody<'POST /api/sessions/{session}/changes/comments'>;
type Sending = CheckedBody<'POST /api/sessions/{session}/changes/comments/send'>;

/** Comments on changed lines: drafts, until they go to the agent as one prompt. */
export class CommentService {
  readonly #store: Store;
  readonly #sessions: SessionService;
  readonly #changes: ChangesService;

  constructor(store: Store, sessions: SessionService, changes: ChangesService) {
    this.#store = store;
    this.#sessions = sessions;
    this.#changes = changes;
  }

  async list(by: Device, session: string): Promise<ChangeComment[]> {
    const repository = await this.#changes.repository(by, session);
    const comments = await this.#store.comments.list(session);
    const fits = await fitsOf(repository, comments);
    return comments.map((one, at) => ({ ...one, fit: fits[at] ?? 'gone' }));
  }

  async add(by: Device, session: string, { branch, turn, ...comment }: NewComment): Promise<ChangeComment> {
    permit(by, 'drive', session);
    const repository = await this.#changes.repository(by, session);
    const named = {
      base: comment.base,
      ...(branch === undefined ? {} : { branch }),
      ...(turn === undefined ? {} : { turn }),
    };
    const kept = {
      id: randomUUID(),
      ...comment,
      baseCommit: await this.#changes.baseOf(repository, session, named),
      hash: hashOf(comment.quote),
      author: authorOf(by),
      createdAt: Date.now(),
    };
    await this.#store.comments.add(session, kept);
    const [fit = 'gone'] = await fitsOf(repository, [kept]);
    return { ...kept, fit };
  }

  async remove(by: Device, session: string, id: string): Promise<void> {
    permit(by, 'drive', session);
    await this.#store.comments.remove(session, [id]);
  }

  /** Sent again with its client id after a kill, it is the same prompt. Raises `NO_COMMENTS`. */
  async send(by: Device, session: string, { clientId, delivery }: Sending): Promise<Prompt> {
    permit(by, 'drive', session);
    const comments = await this.list(by, session);
    if (comments.length === 0) throw new NoCommentsError();
    const content = commentPrompt(comments);
    const prompt = await this.#sessions.prompt(by, session, { clientId, content, delivery });
    // Only once the prompt is durable: a kill in between leaves both, and nothing is lost.
    await this.#store.comments.remove(
      session,
      comments.map(({ id }) => id),
    );
    return prompt;
  }
}

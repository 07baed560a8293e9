import { isJsonObject, sessionTitle, shortInput, spelledOut, spokenName, textAt } from '@signalbox/protocol';
import type { Author, NoticeQuestion, PermissionRequest } from '@signalbox/protocol/hub';
import { capabilityId, digestOf, provesCapability } from '../notices/capability.ts';
import {
  CapabilityChangedError,
  CapabilityExpiredError,
  CapabilityInvalidError,
  CapabilityUsedError,
} from '../notices/notice-errors.ts';
import type { NoticeOutbox } from '../notices/notice-outbox.ts';
import { mayApprove } from '../notices/request-for.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { StoredCapability, StoredTarget } from '../store/notice.ts';
import type { Store } from '../store/store.ts';
import type { Decisions } from './decisions.ts';

/** What a {@link NoticeAnswerService} works with. */
export interface NoticeAnswerParts {
  store: Store;
  sessions: LiveSessions;
  outbox: NoticeOutbox;
  decisions: Decisions;
}

/** What a person says by a notice. */
export interface NoticeAnswer {
  behavior: 'allow' | 'deny';
  message?: string;
}

/** Answers by the right that came with a notice, and by nothing else: it is good for one question, one input and one time. */
export class NoticeAnswerService {
  readonly #parts: NoticeAnswerParts;

  constructor(parts: NoticeAnswerParts) {
    this.#parts = parts;
  }

  /** What would be allowed; nothing is answered. */
  async look(text: string): Promise<NoticeQuestion> {
    const { right, asked } = await this.#open(text);
    const { session, expiresAt } = right;
    const { request } = asked;
    const toolName = textAt(request, 'tool_name');
    const input = isJsonObject(request.input) ? request.input : {};
    const facts = await this.#parts.sessions.known(session);
    return {
      session,
      // The page shows what is here and nothing else: marks that reorder it would have another call allowed than the one that is read.
      title: spelledOut(sessionTitle(facts)),
      toolName: spelledOut(spokenName(toolName)),
      text: spelledOut(shortInput(toolName, input, facts.folder)),
      input: spelledOut(JSON.stringify(input, undefined, 2)),
      expiresAt,
    };
  }

  async answer(
    text: string,
    { behavior, message }: NoticeAnswer,
  ): Promise<{ session: string; requestId: string; behavior: 'allow' | 'deny' }> {
    const { right, target } = await this.#open(text);
    const { session, requestId, digest } = right;
    const author = authorBy(target);
    const why = `answered on the notice ${right.notice} to ${target.name}`;
    const said = { behavior, why, ...(behavior === 'deny' && message ? { message } : {}) };
    const { permission, isFirst } = await this.#parts.sessions.use(session, ({ asks }) => {
      // What the agent is told is what is open in this moment.
      const asked = asks.openOne(requestId);
      if (asked && digestOf(asked.request) !== digest) throw new CapabilityChangedError();
      return asks.answer(requestId, said, author);
    });
    if (!isFirst) throw new CapabilityUsedError(endOf(permission));
    this.#parts.decisions.tell(author, { what: behavior, session, subject: requestId });
    return { session, requestId, behavior };
  }

  async #open(
    text: string,
  ): Promise<{ right: StoredCapability; target: StoredTarget; asked: PermissionRequest }> {
    const { store, outbox } = this.#parts;
    const right = await store.notices.capability(capabilityId(text));
    if (!right || !provesCapability(text, right)) throw new CapabilityInvalidError();
    const target = outbox.targets.find(({ id }) => id === right.target);
    if (!target?.mayAnswer || target.retired) throw new CapabilityInvalidError();
    if (target.device !== null && !mayApprove(await store.devices.get(target.device), right.session))
      throw new CapabilityInvalidError();
    const asked = await store.permissions.get(right.session, right.requestId);
    if (!asked) throw new CapabilityInvalidError();
    if (asked.state !== 'open') throw new CapabilityUsedError(endOf(asked));
    if (Date.now() >= right.expiresAt) throw new CapabilityExpiredError();
    if (digestOf(asked.request) !== right.digest) throw new CapabilityChangedError();
    return { right, target, asked };
  }
}

/** The person whose target it is, by that target. */
function authorBy({ author, name, device, id }: StoredTarget): Author {
  const person = author.by === 'person' ? author.name : 'hub';
  return { by: 'person', name: person, device: `notice to ${name}`, deviceId: device ?? id };
}

function endOf({ state, answer }: PermissionRequest): string {
  if (!answer) return state === 'withdrawn' ? 'was withdrawn by the agent' : 'has expired';
  const { author, what } = answer;
  const who = author.by === 'person' ? author.name : 'the hub';
  return `was answered by ${who} already (${what})`;
}

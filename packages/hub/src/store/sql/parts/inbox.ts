import { createHash, randomUUID } from 'node:crypto';
import { LIMITS } from '@signalbox/protocol';
import type { Author, PromptContent, PromptDelivery, PromptState } from '@signalbox/protocol/hub';
import type { Inbox, NewPrompt, PromptEdit } from '../../prompt.ts';
import { placeBefore } from '../../prompt-place.ts';
import {
  PromptIdTakenError,
  PromptNotWaitingError,
  RecordNotFoundError,
  SessionNotFoundError,
  StoreLimitError,
} from '../../store-errors.ts';
import { assertWritten, type WrittenPrompt } from '../../written-prompt.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A prompt whose content is JSON, in a buffer that changes hands: a long one is not copied from thread to thread. */
export interface PackedPrompt extends Omit<NewPrompt, 'content'> {
  content: Uint8Array<ArrayBuffer>;
}

interface PromptRow {
  id: string;
  session: string;
  client_id: string;
  author: string;
  content: string;
  delivery: PromptDelivery;
  state: PromptState;
  admitted_at: number;
  place: number;
}

interface SentRow extends PromptRow {
  /** Who sent what at first: it may have been edited since. Null for one of an earlier version. */
  sent: string | null;
}

/** Where a prompt stands, without what it says. */
type PlacedRow = Pick<PromptRow, 'id' | 'state' | 'place'>;

/** The inbox as it is asked from another thread: with contents as they were written. */
interface WrittenInbox extends Pick<Inbox, 'pendingBytes' | 'sessionOf' | 'markDelivered'> {
  list(session: string): Promise<WrittenPrompt[]>;
  get(id: string): Promise<WrittenPrompt | undefined>;
  edit(id: string, change: PromptEdit): Promise<WrittenPrompt>;
  cancel(id: string): Promise<WrittenPrompt>;
  take(session: string, delivery?: PromptDelivery): Promise<WrittenPrompt | undefined>;
}

/** Prompts in their table. */
export class SqlInbox implements InSteps<WrittenInbox> {
  /** Whoever brings a new prompt has its content, and does not get it back. */
  *admit({
    session,
    clientId,
    author,
    content,
    delivery,
  }: PackedPrompt): Steps<WrittenPrompt | Omit<WrittenPrompt, 'content'>> {
    const text = Buffer.from(content.buffer).toString();
    const sent = fingerprintOf(JSON.stringify(author), text);
    const known = yield* QUERIES.byClient.get([session, clientId]);
    if (known) {
      const isSame = known.sent === null ? known.content === text : known.sent === sent;
      if (!isSame) throw new PromptIdTakenError(clientId);
      return writtenOf(known);
    }
    if (!(yield* QUERIES.session.get([session]))) throw new SessionNotFoundError(session);
    const waiting = yield* this.#waitingIn(session);
    if (waiting.count >= LIMITS.waitingPrompts.most)
      throw new StoreLimitError(`${waiting.count} prompts wait already`);
    assertRoom(waiting.bytes, Buffer.byteLength(text));
    // A host names its message by a uuid: the agent gets it under the same one, unless it is taken.
    const id = UUID.test(clientId) && !(yield* this.get(clientId)) ? clientId : randomUUID();
    const admittedAt = Date.now();
    const added = [id, session, clientId, JSON.stringify(author), text, delivery, admittedAt, sent, session];
    const place = (yield* QUERIES.add.get(added))?.place ?? 0;
    return { id, session, clientId, author, delivery, state: 'waiting', admittedAt, place };
  }

  *list(session: string): Steps<WrittenPrompt[]> {
    return (yield* QUERIES.list.all([session])).map(writtenOf);
  }

  *pendingBytes(session: string): Steps<number> {
    return (yield* this.#waitingIn(session)).bytes;
  }

  *get(id: string): Steps<WrittenPrompt | undefined> {
    const row = yield* QUERIES.get.get([id]);
    return row && writtenOf(row);
  }

  *sessionOf(id: string): Steps<string | undefined> {
    return (yield* QUERIES.placed.get([id]))?.session;
  }

  /** Without new content what it says is not read before it is given back: prompts may be long, and are moved often. */
  *edit(id: string, { before: next, content, ...change }: PromptEdit): Steps<WrittenPrompt> {
    const known = yield* this.#placed(id);
    const { session, state, bytes } = known;
    if (state !== 'waiting') throw new PromptNotWaitingError(state);
    const text = content === undefined ? null : encodeContent(content);
    const growth = text === null ? 0 : Buffer.byteLength(text) - bytes;
    if (growth > 0) assertRoom((yield* this.#waitingIn(session)).bytes, growth);
    const place =
      next === undefined ? known.place : placeBefore(yield* QUERIES.places.all([session]), known, next);
    const author = change.author === undefined ? null : JSON.stringify(change.author);
    yield* QUERIES.edit.run([author, text, change.delivery ?? null, place, id]);
    return yield* this.#find(id);
  }

  *cancel(id: string): Steps<WrittenPrompt> {
    const { state } = yield* this.#placed(id);
    if (state !== 'waiting' && state !== 'cancelled') throw new PromptNotWaitingError(state);
    yield* QUERIES.mark.run(['cancelled', id]);
    return yield* this.#find(id);
  }

  *take(session: string, delivery?: PromptDelivery): Steps<WrittenPrompt | undefined> {
    const row = yield* QUERIES.next.get([session, delivery ?? null, delivery ?? null]);
    if (!row) return undefined;
    if (row.state === 'waiting') yield* QUERIES.mark.run(['taken', row.id]);
    return { ...writtenOf(row), state: 'taken' };
  }

  *markDelivered(id: string): Steps<boolean> {
    const { state } = yield* this.#placed(id);
    if (state === 'delivered') return false;
    if (state === 'cancelled') throw new PromptNotWaitingError(state);
    yield* QUERIES.mark.run(['delivered', id]);
    return true;
  }

  *#waitingIn(session: string): Steps<{ count: number; bytes: number }> {
    return (yield* QUERIES.waiting.get([session])) ?? { count: 0, bytes: 0 };
  }

  *#placed(id: string): Steps<PlacedRow & { session: string; bytes: number }> {
    const row = yield* QUERIES.placed.get([id]);
    if (!row) throw notFound(id);
    return row;
  }

  *#find(id: string): Steps<WrittenPrompt> {
    const prompt = yield* this.get(id);
    if (!prompt) throw notFound(id);
    return prompt;
  }
}

function notFound(id: string): RecordNotFoundError {
  return new RecordNotFoundError(`prompt ${id}`);
}

/** Raises `STORE_LIMIT`. */
export function encodeContent(content: PromptContent): string {
  const text = JSON.stringify(content);
  if (text.length > LIMITS.promptBytes.most)
    throw new StoreLimitError(`A prompt of ${text.length} bytes is too long`);
  return text;
}

function assertRoom(bytes: number, growth: number): void {
  if (bytes + growth > LIMITS.waitingPromptBytes.most)
    throw new StoreLimitError(`prompts of ${bytes} bytes wait already`);
}

function fingerprintOf(author: string, content: string): string {
  return createHash('sha256').update(`${author}\n${content}`).digest('base64url');
}

function writtenOf(row: PromptRow): WrittenPrompt {
  const { id, session, client_id: clientId, delivery, state, admitted_at: admittedAt, place } = row;
  const author: Author = storedJson(row.author, `prompt ${id} of session ${session}`);
  const content = new TextEncoder().encode(row.content);
  const prompt = { id, session, clientId, author, content, delivery, state, admittedAt, place };
  assertWritten(prompt);
  return prompt;
}

const QUERIES = queries();

function queries() {
  const fields =
    'id, session, client_id, author, content, delivery, state, admitted_at, coalesce(place, number) AS place';
  const columns = `SELECT ${fields} FROM prompt`;
  const pending = "session = ? AND state IN ('waiting', 'taken')";
  return {
    session: new Statement('SELECT 1 FROM session WHERE id = ?'),
    byClient: new Statement<SentRow>(
      `SELECT ${fields}, sent FROM prompt WHERE session = ? AND client_id = ?`,
    ),
    waiting: new Statement<{ count: number; bytes: number }>(
      `SELECT count(*) AS count, coalesce(sum(octet_length(content)), 0) AS bytes FROM prompt WHERE ${pending}`,
    ),
    // Behind all that wait, wherever those were moved to.
    add: new Statement<{ place: number }>(
      `INSERT INTO prompt (id, session, client_id, author, content, delivery, state, admitted_at, sent, place)
        VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?,
          (SELECT CAST(max(coalesce(place, number)) AS BIGINT) + 1 FROM prompt WHERE ${pending}))
        RETURNING coalesce(place, number) AS place`,
    ),
    list: new Statement<PromptRow>(`${columns} WHERE ${pending} ORDER BY coalesce(place, number), number`),
    get: new Statement<PromptRow>(`${columns} WHERE id = ?`),
    placed: new Statement<PlacedRow & { session: string; bytes: number }>(
      `SELECT id, session, state, coalesce(place, number) AS place, octet_length(content) AS bytes
        FROM prompt WHERE id = ?`,
    ),
    places: new Statement<PlacedRow>(
      `SELECT id, state, coalesce(place, number) AS place FROM prompt WHERE ${pending}
        ORDER BY coalesce(place, number), number`,
    ),
    edit: new Statement(
      `UPDATE prompt SET author = coalesce(CAST(? AS TEXT), author), content = coalesce(CAST(? AS TEXT), content),
        delivery = coalesce(CAST(? AS TEXT), delivery), place = ? WHERE id = ?`,
    ),
    mark: new Statement('UPDATE prompt SET state = ? WHERE id = ?'),
    next: new Statement<PromptRow>(
      `${columns} WHERE ${pending} AND (CAST(? AS TEXT) IS NULL OR delivery = ?)
        ORDER BY coalesce(place, number), number LIMIT 1`,
    ),
  };
}

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Visitor } from '../../auth/gatekeeper.ts';
import { KeyReusedError, OutcomeUnknownError } from '../../base/request-errors.ts';
import { type KeptAnswers, MAX_KEPT_ANSWER_BYTES } from '../../store/kept-answer.ts';

/** How long an answer is kept for whoever asks again. */
const LIFETIME_MS = 24 * 60 * 60_000;

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What a request was answered with. */
export interface Reply {
  status: number;
  body: string;
}

/** What is known of a request that may have been carried out before. */
export interface Attempt {
  /** The id of what it makes, the same whenever it is carried out. */
  made: string;
  /** When it was begun by a hub that did not get to its end; undefined when nobody has begun it before. */
  begunAt: number | undefined;
}

/** A request that may come again. */
export interface RepeatableWork {
  /** Tells it from others under the same key. */
  request: string;
  /** Whether it finds what it has done when it is carried out again. */
  isRepeatable: boolean;
  work: (attempt: Attempt) => Promise<Reply>;
}

/** Requests with an idempotency key: whoever repeats one gets its first answer, and nothing is done twice. */
export class Repeats {
  readonly #answers: KeptAnswers;
  /** As many as there are requests in work. */
  readonly #running = new Map<string, { fingerprint: string; reply: Promise<Reply> }>();

  constructor(answers: KeptAnswers) {
    this.#answers = answers;
  }

  /**
   * Raises `IDEMPOTENCY_KEY_REUSED` when the key came with another request, and `OUTCOME_UNKNOWN` when a hub was killed
   * over this one and it must not be done again. What fails may be tried again.
   */
  async once(by: Visitor, key: string, repeatable: RepeatableWork): Promise<Reply> {
    const fingerprint = createHash('sha256').update(repeatable.request).digest('base64url');
    const place = JSON.stringify([by.device.id, key]);
    const running = this.#running.get(place);
    if (running) {
      if (running.fingerprint !== fingerprint) throw new KeyReusedError();
      return running.reply;
    }
    const reply = this.#reply(by, key, fingerprint, repeatable);
    this.#running.set(place, { fingerprint, reply });
    try {
      return await reply;
    } finally {
      this.#running.delete(place);
    }
  }

  async #reply(
    { device, token }: Visitor,
    key: string,
    fingerprint: string,
    { isRepeatable, work }: RepeatableWork,
  ): Promise<Reply> {
    const seal = new Seal(token, key);
    const begun = await this.#answers.begin(device.id, key, fingerprint, LIFETIME_MS);
    if (begun.fingerprint !== fingerprint) throw new KeyReusedError();
    if (begun.answer) return { status: begun.answer.status, body: seal.open(begun.answer.body) };
    // Nobody works on it here: whoever began it is gone, or could not keep its answer.
    if (!begun.isFirst && !isRepeatable) throw new OutcomeUnknownError();
    const abandon = () => this.#answers.abandon(device.id, key).catch(() => {});
    const begunAt = begun.isFirst ? undefined : begun.begunAt;
    const reply = await work({ made: begun.made, begunAt }).catch(async (error: unknown) => {
      await abandon();
      throw error;
    });
    const body = seal.close(reply.body);
    // A longer one is not kept: what answers at such length reads, and may as well read again.
    if (body.length > MAX_KEPT_ANSWER_BYTES) await abandon();
    else {
      const answer = { fingerprint, status: reply.status, body };
      // What was done is not undone by an answer that could not be kept.
      await this.#answers.keep(device.id, key, answer, LIFETIME_MS).catch(() => {});
    }
    return reply;
  }
}

/** An answer may hold a new token: it is kept so that only who shows the token and the key of its request can read it. */
class Seal {
  readonly #key: Uint8Array;

  constructor(token: string, key: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', token, key, 'signalbox kept answer', 32));
  }

  close(text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv);
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64');
  }

  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const content = bytes.subarray(IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
  }
}

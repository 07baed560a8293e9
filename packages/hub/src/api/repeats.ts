import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Visitor } from '../auth/gatekeeper.ts';
import { type KeptAnswers, MAX_KEPT_ANSWER_BYTES } from '../store/kept-answer.ts';
import { KeyReusedError } from './api-errors.ts';

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

/** Requests with an idempotency key: whoever repeats one gets its first answer, and nothing is done twice. */
export class Repeats {
  readonly #answers: KeptAnswers;
  /** As many as there are requests in work. */
  readonly #running = new Map<string, { fingerprint: string; reply: Promise<Reply> }>();

  constructor(answers: KeptAnswers) {
    this.#answers = answers;
  }

  /** Raises `IDEMPOTENCY_KEY_REUSED` when the key came with another request. What fails may be tried again. */
  async once(by: Visitor, key: string, request: string, work: () => Promise<Reply>): Promise<Reply> {
    const fingerprint = createHash('sha256').update(request).digest('base64url');
    const place = JSON.stringify([by.device.id, key]);
    const running = this.#running.get(place);
    if (running) {
      if (running.fingerprint !== fingerprint) throw new KeyReusedError();
      return running.reply;
    }
    const reply = this.#first(by, key, fingerprint, work);
    this.#running.set(place, { fingerprint, reply });
    try {
      return await reply;
    } finally {
      this.#running.delete(place);
    }
  }

  async #first(
    { device, token }: Visitor,
    key: string,
    fingerprint: string,
    work: () => Promise<Reply>,
  ): Promise<Reply> {
    const seal = new Seal(token, key);
    const kept = await this.#answers.recall(device.id, key);
    if (kept && kept.fingerprint !== fingerprint) throw new KeyReusedError();
    if (kept) return { status: kept.status, body: seal.open(kept.body) };
    const reply = await work();
    const body = seal.close(reply.body);
    // A longer one is not kept: what answers at such length reads, and may as well read again.
    if (body.length > MAX_KEPT_ANSWER_BYTES) return reply;
    const answer = { fingerprint, status: reply.status, body };
    // What was done is not undone by an answer that could not be kept.
    await this.#answers.keep(device.id, key, answer, LIFETIME_MS).catch(() => {});
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

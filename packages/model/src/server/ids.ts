import { randomBytes } from 'node:crypto';

/** Ids that count up, under a tag of their own for each server: a resumed session must not meet an id twice. */
export class Ids {
  readonly #tag = randomBytes(4).toString('hex');
  #count = 0;

  next(prefix: 'msg' | 'toolu' | 'req'): string {
    this.#count += 1;
    return `${prefix}_${this.#tag}_${String(this.#count).padStart(6, '0')}`;
  }
}

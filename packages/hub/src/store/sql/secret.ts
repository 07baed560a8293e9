import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
/** A link is good once and for minutes, and is read off a screen: it fits a line of a terminal. */
const LINK_SECRET_BYTES = 16;
const LINK_ID_BYTES = 6;

/** A secret to hand out: an id to find it by, and what proves it. */
export interface Secret {
  id: string;
  /** `id.proof`: what its holder shows. */
  text: string;
  /** What is kept. No guessing finds 128 random bits or more, so that a fast hash is enough. */
  hash: Uint8Array;
}

export function createSecret(id: string, bytes = SECRET_BYTES): Secret {
  const text = `${id}.${randomBytes(bytes).toString('base64url')}`;
  return { id, text, hash: hashOf(text) };
}

/** The secret of a sign-in link. */
export function createLinkSecret(): Secret {
  return createSecret(randomBytes(LINK_ID_BYTES).toString('base64url'), LINK_SECRET_BYTES);
}

/** The id that a secret names, whether or not it proves anything. */
export function idOf(text: string): string {
  return text.slice(0, Math.max(0, text.indexOf('.')));
}

export function proves(text: string, hash: Uint8Array): boolean {
  return timingSafeEqual(hashOf(text), hash);
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

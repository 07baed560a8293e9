import type { IncomingHttpHeaders } from 'node:http';

/** Shorter ones are placeholders such as `scripted`: words that a text may well contain. */
const SECRET_MIN_LENGTH = 16;

/** The keys with which a client proves who it is. */
export function secretsOf(headers: IncomingHttpHeaders): string[] {
  const key = headers['x-api-key'];
  const token = headers.authorization?.replace(/^\w+ /, '');
  return [token, typeof key === 'string' ? key : undefined]
    .flatMap((secret) => secret ?? [])
    .filter((secret) => secret.length >= SECRET_MIN_LENGTH)
    .toSorted((a, b) => b.length - a.length);
}

/** JSON text without the secrets that may stand in it. */
export function scrub(json: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (text, secret) => text.replaceAll(JSON.stringify(secret).slice(1, -1), '[redacted]'),
    json,
  );
}

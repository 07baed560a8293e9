import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';

/** What a browser has of its push subscription: it alone can read what is sent there (RFC 8291). */
export class PushBrowser {
  readonly #keys: ECDH = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor() {
    this.#keys.generateKeys();
  }

  /** The subscription as the page gives it to the hub. */
  subscription(endpoint: string): { endpoint: string; keys: { p256dh: string; auth: string } } {
    const keys = { p256dh: this.#keys.getPublicKey('base64url'), auth: this.#auth.toString('base64url') };
    return { endpoint, keys };
  }

  decrypt(body: Buffer): string {
    const [salt, idLength] = [body.subarray(0, 16), body[20] ?? 0];
    const sender = body.subarray(21, 21 + idLength);
    const sealed = body.subarray(21 + idLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender]);
    const shared = derived(this.#keys.computeSecret(sender), this.#auth, info, 32);
    const key = derived(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = derived(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString();
  }
}

/** What a hub says of itself to a push service, checked against the key that the browser subscribed with (RFC 8292). */
export function vapidClaims(header: string | undefined, publicKey: string): Record<string, unknown> {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header ?? '') ?? [];
  if (key !== publicKey) throw new Error(`another key than was subscribed to: ${key}`);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the signature is not that of the key');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

function derived(key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, length));
}

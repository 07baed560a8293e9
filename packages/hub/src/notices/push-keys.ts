import { readFileSync } from 'node:fs';
import { isJsonObject, parseJson } from '@signalbox/protocol';
import type WebPush from 'web-push';
import { replaceFile } from '../base/replace-file.ts';

/** The pair by which push services know this hub (VAPID): browsers subscribe to the public part. */
export interface PushKeyPair {
  publicKey: string;
  privateKey: string;
}

/** Keys that are made once, when the first browser wants them, and kept in a file that its owner alone can read. */
export class PushKeys {
  readonly #file: string;
  #keys: Promise<PushKeyPair> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** With other keys every subscription would be lost: a file that is there and cannot be read is an error. */
  get(): Promise<PushKeyPair> {
    this.#keys ??= this.#load().catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  async #load(): Promise<PushKeyPair> {
    const known = this.#read();
    if (known) return known;
    const made = (await loadWebPush()).generateVAPIDKeys();
    replaceFile(this.#file, `${JSON.stringify(made)}\n`);
    return made;
  }

  #read(): PushKeyPair | undefined {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
    const keys = parseJson(text);
    if (!isJsonObject(keys) || typeof keys.publicKey !== 'string' || typeof keys.privateKey !== 'string')
      throw new Error('the keys for push services cannot be read');
    return { publicKey: keys.publicKey, privateKey: keys.privateKey };
  }
}

/** Loaded when it is first needed: most hubs push nothing. */
export async function loadWebPush(): Promise<typeof WebPush> {
  return (await import('web-push')).default;
}
